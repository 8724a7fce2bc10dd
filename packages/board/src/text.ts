import { z } from 'zod'
import { boardLimits } from './limits.ts'

const string = z.string().max(boardLimits.text)

/** Languages that a text of a board may have. */
const boardLanguages = ['en', 'de', 'es', 'fr', 'it'] as const

/** Text that people read: one for all languages, or one for each; `{slot.oven.label}` and `{var.shift}` are filled in. */
export const Text = z
  .union([
    string,
    z.strictObject({
      en: string.optional(),
      de: string.optional(),
      es: string.optional(),
      fr: string.optional(),
      it: string.optional(),
    }),
  ])
  .meta({ id: 'Text' })
export type Text = z.output<typeof Text>

/** Text in one language; where it is absent English, else the first that there is. */
export function textIn(text: Text, language: string): string {
  if (typeof text === 'string') return text
  const own = boardLanguages.find((known) => known === language.slice(0, 2))
  return (
    (own && text[own]) ?? text.en ?? boardLanguages.map((known) => text[known]).find(isText) ?? ''
  )
}

const isText = (text: string | undefined) => text !== undefined

const placeholder = /\{((?:slot|var)\.[\w.:-]{1,200})\}/g

/** Names that a text asks for, as `slot.oven.label`, each once. */
export function namesInText(text: Text): string[] {
  const texts = typeof text === 'string' ? [text] : Object.values(text).filter(isText)
  const found = texts.flatMap((one) => [...one.matchAll(placeholder)].map(([, name = '']) => name))
  return [...new Set(found)]
}

/** Text with the values of its names filled in; a name without a value is left as a dash. */
export const fillText = (text: string, valueOf: (name: string) => string | undefined) =>
  text.replace(placeholder, (_, name: string) => valueOf(name) ?? '—')

/** Colour: one of the scheme by its name, or of its own as `#rrggbb` or `#rrggbbaa`. */
export const Paint = z
  .string()
  .regex(
    /^(?:surface|panel|none|ink|brand|ok|warning|alarm|off|series-[1-8]|hmi-[a-z]{1,20}(?:-[a-z]{1,20})?|#[0-9a-fA-F]{6}(?:[0-9a-fA-F]{2})?)$/,
  )
  .meta({ id: 'Paint' })
export type Paint = z.output<typeof Paint>
