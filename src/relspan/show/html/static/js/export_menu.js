/** The export menu: files to save, and code to copy. */

import { button, h, setText } from "./dom.js";
import { asSentence } from "./sentence.js";
import { pngOf, standaloneChart, svgText } from "./standalone_chart.js";

/** @type {[string, string][]} */
const KINDS = [
  ["session", "Session file, to open again"],
  ["csv", "Intervals as CSV"],
  ["json", "Result as JSON"],
  ["svg", "Chart as SVG"],
  ["png", "Chart as PNG"],
  ["html", "Report as HTML"],
  ["shared", "Page to share, read-only …"],
  ["python", "Copy as Python script"],
  ["command", "Copy as command"],
];

/**
 * @param {(kind: string, samples?: boolean) => Promise<any>} fetchFile
 * @param {() => import("./standalone_chart.js").ChartData} chart
 * @param {(message: string) => void} failed
 */
export function exportMenu(fetchFile, chart, failed) {
  const code = /** @type {HTMLTextAreaElement} */ (h("textarea", { readonly: true, rows: 12, "aria-label": "code", class: "code" }));
  const dialog = /** @type {HTMLDialogElement} */ (h("dialog", { class: "dialog", "aria-label": "code to copy" }, code,
    h("div", { class: "actions" }, button("Copy", () => copy(), { class: "primary" }), button("Close", () => dialog.close()))));
  const entries = KINDS.map(([kind, title]) => button(title, () => take(kind), { role: "menuitem", "data-kind": kind }));
  const summary = h("summary", { class: "button" }, "Export");
  const menu = /** @type {HTMLDetailsElement} */ (h("details", { class: "menu" }, summary, h("div", { class: "menu-list", role: "menu", "aria-label": "export" }, entries)));
  const sharing = shareDialog(async (samples) => saveFile(await fetchFile("shared", samples)));
  const element = h("div", { class: "exports" }, menu, dialog, sharing);
  document.addEventListener("click", (event) => {
    if (!menu.contains(/** @type {Node} */ (event.target))) menu.open = false;
  });
  menu.addEventListener("keydown", (event) => {
    const at = entries.indexOf(/** @type {any} */ (document.activeElement));
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Escape") menu.open = false;
    else if (step && menu.open) {
      const shown = entries.filter((entry) => !entry.hidden);
      shown[(shown.indexOf(entries[at]) + step + shown.length) % shown.length].focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  });

  async function copy() {
    code.select();
    await navigator.clipboard?.writeText(code.value).catch(() => document.execCommand("copy"));
    dialog.close();
  }

  /** @param {string} kind */
  async function take(kind) {
    menu.open = false;
    setText(summary, "Writing …"); // a report computes substitutes first
    try {
      if (kind === "svg" || kind === "png") {
        const drawing = standaloneChart(chart());
        save(`relspan-intervals.${kind}`, kind === "svg" ? new Blob([svgText(drawing)], { type: "image/svg+xml" }) : await pngOf(drawing));
        return;
      }
      if (kind === "shared") return sharing.showModal();
      const file = await fetchFile(kind);
      if (file.text === undefined) saveFile(file);
      else {
        code.value = file.text;
        dialog.showModal();
      }
    } catch (error) {
      failed(/** @type {Error} */ (error).message);
    } finally {
      setText(summary, "Export");
    }
  }

  return {
    element,
    /** @param {string[]} kinds  What the back end can write. */
    update(kinds) {
      for (const entry of entries) {
        const kind = entry.dataset.kind ?? "";
        entry.hidden = !(["svg", "png"].includes(kind) || kinds.includes(kind));
      }
    },
  };
}

/**
 * Ask what a page to share may contain: the rows of the table leave this machine only if somebody says so.
 * @param {(samples: boolean) => Promise<void>} write
 */
function shareDialog(write) {
  const box = /** @type {HTMLInputElement} */ (h("input", { type: "checkbox", class: "with-samples", on: { change: warn } }));
  const warning = h("p", { class: "trouble share-warning", role: "status" });
  const status = h("p", { class: "detail", role: "status" });
  const start = /** @type {HTMLButtonElement} */ (button("Save the page", () => save(), { class: "primary save-shared" }));
  const dialog = /** @type {HTMLDialogElement} */ (h("dialog", { class: "dialog share", "aria-label": "page to share", on: { close: clear } },
    h("h2", {}, "Page to share"),
    h("p", {}, "One file to read without relspan and without a network: findings, intervals, the budget slider, groups of substitutes and the panels found so far. It contains the names of columns and classes, but no row of the table."),
    h("label", {}, box, " Include the samples, one by one"), warning, status,
    h("div", { class: "actions" }, start, button("Close", () => dialog.close()))));

  function warn() {
    warning.textContent = box.checked ? "The rows then leave this machine with the file: whoever opens it sees the score, the class and the values of every sample. Share it only with people who may see the table." : "";
  }

  /** The next page to share is without samples again, unless somebody asks again. */
  function clear() {
    box.checked = false;
    status.textContent = "";
    warn();
  }

  async function save() {
    start.disabled = true;
    status.textContent = "Writing the page. This may take a minute …";
    try {
      await write(box.checked);
      dialog.close();
    } catch (error) {
      status.textContent = asSentence(/** @type {Error} */ (error).message);
    } finally {
      start.disabled = false;
    }
  }

  return dialog;
}

/** Save a file that the back end has written. @param {{name: string, type: string, data: string}} file */
export function saveFile({ name, type, data }) {
  const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
  save(name, new Blob([bytes], { type }));
}

/**
 * @param {string} name
 * @param {Blob} blob
 */
function save(name, blob) {
  const address = URL.createObjectURL(blob);
  const link = h("a", { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}
