/**
 * The explorer: a header around the start page or around one result, and a back end behind them.
 *
 * `mountExplorer(root, transport)` serves both the page and the notebook. Every answer of the back end is a new state,
 * and every component draws from it.
 */

import { backEnd } from "./back_end.js";
import { button, h, setText } from "./dom.js";
import { exportMenu, saveFile } from "./export_menu.js";
import { helpDialog } from "./help_dialog.js";
import { readyPage } from "./ready_page.js";
import { asSentence } from "./sentence.js";
import { showProgress, startPage } from "./start_page.js";
import { themeButton } from "./theme_button.js";

const PIN_CHANGES = new Set(["pin", "pin_all", "unpin_all", "undo", "redo", "load_scenario"]); // they end a refused demand

/**
 * @param {HTMLElement} root
 * @param {import("./types.js").Transport} transport
 * @param {EventTarget} [keys]  Where keys are listened to: the page, or only the root in somebody else's page.
 */
export function mountExplorer(root, transport, keys = document) {
  /** @type {import("./types.js").State} */
  let state = { phase: "open", revision: -1 };
  /** @type {ReturnType<typeof readyPage> | null} */
  let ready = null; // made for one result
  const talk = backEnd(transport, {
    current: () => state,
    sight: () => ready?.sight() ?? {},
    held: () => ready?.held ?? false,
    receive,
    connection: (lost) => (lost === null ? hideMessage("connection") : showMessage(lost, "connection")),
  });

  /** @param {import("./types.js").State} next */
  function receive(next) {
    if (next.session !== state.session) {
      hideMessage();
      ready = next.phase === "ready" ? readyPage(transport, { first: next, change }) : null;
    }
    state = next;
    draw();
  }

  /**
   * @param {string} action
   * @param {Record<string, any>} [payload]
   */
  async function change(action, payload = {}) {
    try {
      await talk.change(action, payload);
      if (PIN_CHANGES.has(action)) ready?.satisfied();
      hideMessage();
      return true;
    } catch (error) {
      if (!ready?.refused(error, payload)) showMessage(/** @type {Error} */ (error).message);
      return false;
    }
  }

  /** @param {File} chosen */
  async function upload(chosen) {
    try {
      await talk.upload(chosen);
      hideMessage();
    } catch (error) {
      showMessage(/** @type {Error} */ (error).message);
    }
  }

  // -- the page ----------------------------------------------------------------------------------------------------

  const undo = button("↶ Undo", () => change("undo"), { class: "undo", title: "Ctrl+Z" });
  const redo = button("↷ Redo", () => change("redo"), { class: "redo", title: "Ctrl+Shift+Z" });
  const file = h("span", { class: "source" });
  const back = button("", () => change("take_up", { left: state.left?.[0]?.session }), { class: "back" });
  const message = h("div", { class: "message", role: "alert" });
  message.hidden = true;
  const exporter = exportMenu((kind, samples = false) => transport.ask("export", { kind, samples }), () => /** @type {any} */ (ready).chart(), showMessage);
  const help = helpDialog();
  const reset = button("Open table", () => change("close_table"), { class: "reset", title: "The session stays open until you have opened another table, and you can come back to it." });
  const tools = h("div", { class: "header-tools" }, undo, redo, exporter.element, reset, button("?", () => help.show(), { class: "icon", "aria-label": "help and keyboard" }), themeButton());
  const header = h("header", { class: "header" }, h("div", { class: "brand" }, h("span", { class: "logo", "aria-hidden": "true" }), h("span", { class: "brand-name" }, "relspan"), file, back), tools);
  const stage = h("div", { class: "stage" });
  root.replaceChildren(header, message, stage, help.element);
  keys.addEventListener("keydown", (event) => onKey(/** @type {KeyboardEvent} */ (event)));

  /** @param {KeyboardEvent} event */
  function onKey(event) {
    const typing = /** @type {Element} */ (event.target).matches("input, textarea, select");
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z" && !typing && ready) {
      event.preventDefault();
      const forward = event.shiftKey;
      if (forward ? state.view?.redo : state.view?.undo) change(forward ? "redo" : "undo");
    } else if (event.key === "/" && !typing && ready) {
      event.preventDefault();
      ready.search.focus();
    } else if (event.key === "?" && !typing) help.show();
  }

  /**
   * @param {string} text
   * @param {string} [about]  What ends it: the next success, or the connection.
   */
  function showMessage(text, about = "answer") {
    message.hidden = false;
    message.dataset.about = about;
    message.replaceChildren(h("span", {}, asSentence(text)), button("×", () => hideMessage(), { class: "icon", "aria-label": "dismiss" }));
  }

  /** @param {string} [about]  Only a message about this. */
  function hideMessage(about) {
    if (about === undefined || message.dataset.about === about) message.hidden = true;
  }

  const takeUp = (/** @type {string} */ left) => change("take_up", { left });
  const saveLeft = (/** @type {string} */ left) => transport.ask("export", { kind: "session", left }).then(saveFile, (error) => showMessage(error.message));
  const starting = { upload, takeUp, saveLeft, openExample: (/** @type {string} */ name) => change("open_example", { name }), guessTask: (/** @type {string} */ target, event = "") => transport.ask("guess_task", { target, event }), analyse: (/** @type {any} */ choice) => change("analyse", choice), stop: () => change("stop"), closeTable: () => change("close_table") };

  function draw() {
    const left = state.left?.[0];
    for (const part of [undo, redo, exporter.element, reset]) part.hidden = ready === null;
    back.hidden = ready === null || !left;
    if (left) setText(back, `← back to ${left.title}`);
    if (!ready) {
      setText(file, "");
      const { phase, table, trouble, left: kept } = state;
      const key = JSON.stringify([phase, table, trouble, kept]);
      const drawn = /** @type {HTMLElement | null} */ (stage.querySelector(".start"));
      if (drawn?.dataset.key !== key) stage.replaceChildren(startPage(state, starting));
      /** @type {HTMLElement} */ (stage.firstElementChild).dataset.key = key;
      if (phase === "fitting") showProgress(/** @type {HTMLElement} */ (stage.firstElementChild), state);
      return;
    }
    if (ready.element.parentElement !== stage) stage.replaceChildren(ready.element);
    const { data } = /** @type {import("./types.js").Result} */ (state.result);
    setText(file, [fileName(data.file), data.target].filter(Boolean).join(" · "));
    /** @type {HTMLButtonElement} */ (undo).disabled = !state.view?.undo;
    /** @type {HTMLButtonElement} */ (redo).disabled = !state.view?.redo;
    exporter.update(state.exports ?? []);
    ready.update(state);
  }

  transport.ask("state", {}).then(talk.take, (error) => showMessage(error.message));
  return {
    get state() {
      return state;
    },
    get updates() {
      return ready?.updates ?? 0;
    },
    get stamps() {
      return ready?.stamps ?? [];
    },
    select: (/** @type {string} */ name) => ready?.select(name),
  };
}

/** @param {string | undefined} path */
function fileName(path) {
  return path ? path.split(/[\\/]/).pop() ?? "" : "table";
}
