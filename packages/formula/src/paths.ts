/** A path below the model's name: `Oven:1/zone/temp` becomes `zone/temp`, others stay. */
export const relativePath = (path: string) => path.replace(/^[^/:]{1,200}:\d{1,9}\//, '')

/** The path with `[*]` for every index, as models name paths in arrays. */
export const anyIndex = (path: string) => path.replaceAll(/\[(?:\d{1,9}|\$\{\d{1,3}\})\]/g, '[*]')

/** The formula of an item of arrays, with the indexes of its place for `${0}`, `${1}` … */
export const atPlace = (text: string, indexes: readonly number[]) =>
  text.replaceAll(/\$\{(\d{1,3})\}/g, (whole, index: string) =>
    String(indexes[Number(index)] ?? whole),
  )

const plainPath = /^[A-Za-z_]\w*(?:\[\d+\])*(?:\/[A-Za-z_]\w*(?:\[\d+\])*)*$/
const reserved = new Set(['and', 'or', 'not', 'true', 'false', 'null'])

/** A path as a formula writes it: in double quotes where it would be read as something else. */
export const writtenPath = (path: string) =>
  plainPath.test(path) && !reserved.has(path) ? path : `"${path.replaceAll(/["\\]/g, '\\$&')}"`
