/** Path below the model's name: `Oven:1/zone/temp` becomes `zone/temp`; others are unchanged. */
export const relativePath = (path: string) => path.replace(/^[^/:]{1,200}:\d{1,9}\//, '')

/** Path with `[*]` in place of every index, as models name paths in arrays. */
export const anyIndex = (path: string) => path.replaceAll(/\[(?:\d{1,9}|\$\{\d{1,3}\})\]/g, '[*]')

/** Formula of an array item, with the indexes in place of `${0}`, `${1}` … */
export const atPlace = (text: string, indexes: readonly number[]) =>
  text.replaceAll(/\$\{(\d{1,3})\}/g, (whole, index: string) =>
    String(indexes[Number(index)] ?? whole),
  )

const plainPath = /^[A-Za-z_]\w*(?:\[\d+\])*(?:\/[A-Za-z_]\w*(?:\[\d+\])*)*$/
const reserved = new Set(['and', 'or', 'not', 'true', 'false', 'null'])

/** Path in formula syntax: in double quotes when it would otherwise be read differently. */
export const writtenPath = (path: string) =>
  plainPath.test(path) && !reserved.has(path) ? path : `"${path.replaceAll(/["\\]/g, '\\$&')}"`
