/* What a person has begun to write, kept in this browser until it is sent. */

const PREFIX = "study.draft.";
const KEPT_DAYS = 30;

export function load(key) {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + key))?.value ?? null;
  } catch {
    return null;
  }
}

export function save(key, value) {
  try {
    localStorage.setItem(PREFIX + key, JSON.stringify({ at: Date.now(), value }));
    return true;
  } catch {
    return false;
  }
}

export function forget(key) {
  localStorage.removeItem(PREFIX + key);
}

/** Drafts of reviews that were answered elsewhere long ago. */
export function tidy() {
  const oldest = Date.now() - KEPT_DAYS * 86_400_000;
  for (const key of Object.keys(localStorage).filter((name) => name.startsWith(PREFIX))) {
    const kept = load(key.slice(PREFIX.length));
    const at = JSON.parse(localStorage.getItem(key) ?? "{}")?.at ?? 0;
    if (kept === null || at < oldest) localStorage.removeItem(key);
  }
}
