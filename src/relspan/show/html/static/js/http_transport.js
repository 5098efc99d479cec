/** The back end over HTTP. The token comes in the address's fragment, which no server or log ever sees. */

const HEADER = "X-Relspan-Token";
const STORED = "relspan-token";

/** A refusal of the server, with its reason. */
export class Refusal extends Error {
  /**
   * @param {string} message
   * @param {number} status
   * @param {Record<string, any>} details
   */
  constructor(message, status, details) {
    super(message);
    this.status = status;
    this.details = details;
  }
}

/** The token of this tab; it leaves the address bar at once. */
export function tokenOfTab() {
  const given = new URLSearchParams(location.hash.slice(1)).get("token");
  if (given) {
    sessionStorage.setItem(STORED, given);
    history.replaceState(null, "", location.pathname);
  }
  return given ?? sessionStorage.getItem(STORED) ?? "";
}

/**
 * @param {string} token
 * @returns {import("./types.js").Transport}
 */
export function httpTransport(token) {
  /**
   * @param {string} path
   * @param {BodyInit} body
   * @param {string} kind
   */
  async function post(path, body, kind) {
    const answer = await fetch(path, { method: "POST", body, headers: { [HEADER]: token, "Content-Type": kind } }).catch(() => {
      throw new Refusal("The server does not answer. Check that relspan is still running in its terminal.", 0, {});
    });
    const details = await answer.json().catch(() => ({}));
    if (!answer.ok) throw new Refusal(details.message ?? `The server answered with status ${answer.status}.`, answer.status, details);
    return details;
  }
  return {
    readOnly: false,
    ask: (action, payload = {}) => post(`/api/${action}`, JSON.stringify(payload), "application/json"),
    upload: (file) => post(`/api/upload?name=${encodeURIComponent(file.name)}`, file, "application/octet-stream"),
  };
}
