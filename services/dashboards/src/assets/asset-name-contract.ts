import { z } from 'zod'

/** Longest name of a file, in characters. */
const longest = 120

/** Characters that are separators or wildcards on some system, or end an address. */
const forbidden = /[\\/:*?"<>|#%]/
/** Control, format and private characters, such as NUL and those that turn the direction of text. */
const invisible = /[\p{C}\p{Zl}\p{Zp}]/u

/** Name of a file, with its ending: one line of visible characters, and never a path. */
export const assetName = z
  .string()
  .max(longest)
  .transform((name) => name.normalize('NFC').trim())
  .refine((name) => !forbidden.test(name) && !invisible.test(name), {
    error: 'a file name without / \\ : * ? " < > | # % and invisible characters is expected',
  })
  .refine((name) => !name.startsWith('.') && /[^.]\.[A-Za-z0-9]{2,5}$/.test(name), {
    error: 'a file name with an ending is expected, such as plan.png',
  })

const megabyte = 1_000_000

/** Most bytes of a file by its kind. */
export const assetLimits = {
  picture: 20 * megabyte,
  svg: 2 * megabyte,
  file: 50 * megabyte,
} as const
type AssetKind = keyof typeof assetLimits

const pictures = ['png', 'jpg', 'jpeg', 'webp', 'avif', 'gif']
const files = ['pdf', 'mp4', 'csv', 'txt', 'md']
export const assetEndings = [...pictures, 'svg', ...files]

/** Ending of a name in lower case, without the dot. */
export const endingOf = (name: string) => name.slice(name.lastIndexOf('.') + 1).toLowerCase()

/** Kind of a file by the ending of its name; undefined when such files are not taken. */
export function kindOfName(name: string): AssetKind | undefined {
  const ending = endingOf(name)
  if (pictures.includes(ending)) return 'picture'
  if (ending === 'svg') return 'svg'
  return files.includes(ending) ? 'file' : undefined
}
