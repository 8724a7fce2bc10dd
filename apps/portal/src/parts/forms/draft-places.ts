type Fields = Record<string, unknown>

const isFields = (value: unknown): value is Fields | unknown[] =>
  typeof value === 'object' && value !== null

const stepInto = (node: unknown, step: string): unknown => {
  if (Array.isArray(node)) return node[Number(step)]
  return isFields(node) ? (node as Fields)[step] : undefined
}

/** Value at a place of a draft, as `when.all.0.path`. */
export const valueAt = (draft: unknown, place: string) => place.split('.').reduce(stepInto, draft)

/** Draft with another value at a place; undefined takes the field away. */
export const withAt = <Draft>(draft: Draft, place: string, value: unknown) =>
  changedAt(draft, place.split('.'), value) as Draft // the form gives each field a value of its type

function changedAt(
  node: unknown,
  [step = '', ...rest]: readonly string[],
  value: unknown,
): unknown {
  const next = rest.length === 0 ? value : changedAt(stepInto(node, step), rest, value)
  if (Array.isArray(node)) return node.map((one, index) => (index === Number(step) ? next : one))
  const { [step]: _, ...others } = isFields(node) ? (node as Fields) : {}
  return next === undefined ? others : { ...others, [step]: next }
}
