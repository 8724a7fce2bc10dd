/** A field of what was changed: its name as a path, and its value before and after. */
type FieldChange = { field: string; before: string | undefined; after: string | undefined }

/**
 * Changes of an audit entry by field: those that differ, and the number of equal ones. A value that
 * is on one side only was added or removed.
 */
export function changesOf(before: unknown, after: unknown) {
  const [was, is] = [flat(before), flat(after)]
  const fields = [...new Set([...was.keys(), ...is.keys()])]
  const all = fields.map((field): FieldChange => ({
    field,
    before: was.get(field),
    after: is.get(field),
  }))
  const both = before !== null && before !== undefined && after !== null && after !== undefined
  const changed = both ? all.filter((one) => one.before !== one.after) : all
  return { changed, unchanged: all.length - changed.length, both }
}

/** Values by their paths: `rules.0.resource`. A list of plain values is one value. */
function flat(value: unknown, path = '', found = new Map<string, string>()): Map<string, string> {
  const text = valueText(value)
  if (text !== undefined) {
    if (path !== '' || value !== null) found.set(path, text)
    return found
  }
  for (const [name, inner] of Object.entries(value ?? {})) {
    flat(inner, path === '' ? name : `${path}.${name}`, found)
  }
  return found
}

/** The text of a value that has nothing inside; undefined for one that is looked into. */
function valueText(value: unknown): string | undefined {
  if (value === undefined) return undefined
  if (value === null) return nothing
  if (typeof value !== 'object') return typeof value === 'string' ? value : JSON.stringify(value)
  const inner = Object.values(value)
  if (inner.length === 0) return nothing
  const isPlainList = Array.isArray(value) && inner.every(isBare)
  return isPlainList ? inner.map(valueText).join(', ') : undefined
}

const nothing = '—'
const isBare = (value: unknown) => typeof value !== 'object' || value === null
