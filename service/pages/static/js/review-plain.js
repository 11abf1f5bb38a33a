/* A question that is neither about cards nor about concepts: shown as it was asked. */

import { el } from "./dom.js";

export const plainReview = {
  items: () => [],
  verdicts: () => [],
  overview(args, review) {
    const shown = Object.entries(args).filter(([name]) => !["review_id", "error"].includes(name));
    return el("div", { class: "card stack-small" }, el("p", { class: "said" }, review.description), shown.length ? el("pre", { class: "mono small" }, JSON.stringify(Object.fromEntries(shown), null, 2)) : null);
  },
  answer: () => ({ type: "approve" }),
};
