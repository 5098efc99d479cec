/** The back end of a notebook: requests and answers are messages of a widget, matched by their number. */

import { Refusal } from "./http_transport.js";

/**
 * What a notebook's page gives to a widget.
 * @typedef {object} WidgetModel
 * @property {(content: Record<string, any>, callbacks?: any, buffers?: (ArrayBuffer | ArrayBufferView)[]) => void} send
 * @property {(kind: string, listener: (content: any, buffers: DataView[]) => void) => void} on
 * @property {(kind: string, listener: (content: any, buffers: DataView[]) => void) => void} off
 */

/**
 * @param {WidgetModel} model
 * @returns {{transport: import("./types.js").Transport, close: () => void}}
 */
export function messageTransport(model) {
  /** @type {Map<string, {resolve: (answer: any) => void, reject: (error: Error) => void}>} */
  const waiting = new Map();
  const own = Math.random().toString(36).slice(2); // every view of a widget receives the answers to all views
  let count = 0;
  let closed = false;

  /** @param {any} content */
  function receive(content) {
    const asked = waiting.get(content.id);
    if (!asked) return;
    waiting.delete(content.id);
    const { refusal } = content;
    if (refusal) asked.reject(new Refusal(refusal.message, content.status, refusal));
    else asked.resolve(content.answer);
  }

  /**
   * @param {Record<string, any>} content
   * @param {ArrayBuffer[]} [buffers]
   * @returns {Promise<any>}
   */
  function post(content, buffers) {
    const id = `${own}-${(count += 1)}`;
    return new Promise((resolve, reject) => {
      if (closed) return;
      waiting.set(id, { resolve, reject });
      model.send({ id, ...content }, undefined, buffers);
    });
  }

  model.on("msg:custom", receive);
  return {
    transport: {
      readOnly: false,
      ask: (action, payload = {}) => post({ action, payload }),
      upload: async (file) => post({ upload: file.name }, [await file.arrayBuffer()]),
    },
    /** Stop listening: what is still asked is never answered. */
    close() {
      closed = true;
      model.off("msg:custom", receive);
      waiting.clear();
    },
  };
}
