/** Content of a JSON text; undefined for a text that is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // the caller reports it, or takes the text as it is
  }
}
