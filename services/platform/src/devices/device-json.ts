/** A text of a device as JSON; undefined, which equals nothing, when it is none. */
export function parseDeviceJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // as the docstring says
  }
}
