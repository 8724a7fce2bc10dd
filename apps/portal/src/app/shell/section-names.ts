import type { Language } from '../../parts/words/locale-rules.ts'
import type { Words } from '../../parts/words/words.ts'
import { sections } from '../../sections.ts'

/** Messages `shell.section.{id}` with the names of all sections, parsed as the build parses words: 0 is a text. */
export const sectionNames = (language: Language): Words =>
  Object.fromEntries(
    sections.map(({ id, name }) => [`shell.section.${id}`, [{ type: 0, value: name[language] }]]),
  )
