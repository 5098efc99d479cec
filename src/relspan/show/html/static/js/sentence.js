/**
 * A message of the back end as a sentence of its own.
 * @param {string} message
 */
export function asSentence(message) {
  const end = /[.?!]$/.test(message) ? "" : ".";
  return message ? `${message[0].toUpperCase()}${message.slice(1)}${end}` : "";
}
