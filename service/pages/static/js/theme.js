/* Light or dark, before anything is painted: the person's choice, else the system's. */
(() => {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const chosen = () => {
    try {
      return localStorage.getItem("study.theme");
    } catch {
      return null;
    }
  };
  const apply = () => {
    document.documentElement.dataset.theme = chosen() ?? (system.matches ? "dark" : "light");
  };
  system.addEventListener("change", apply);
  apply();
})();
