import { HighlightStyle, StreamLanguage, syntaxHighlighting } from '@codemirror/language'
import { tags } from '@lezer/highlight'

/** JSON for the editor: names, texts, numbers and signs in their colours. */
export const json = [
  StreamLanguage.define({
    name: 'json',
    token(stream) {
      if (stream.eatSpace()) return null
      if (stream.match(/"(?:[^"\\]|\\.)*"/)) {
        return stream.match(/\s*:/, false) ? 'propertyName' : 'string'
      }
      if (stream.match(/-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/)) return 'number'
      if (stream.match(/true|false|null/)) return 'atom'
      return stream.next() === undefined ? null : 'punctuation'
    },
    languageData: { closeBrackets: { brackets: ['{', '[', '"'] } },
  }),
  syntaxHighlighting(
    HighlightStyle.define([
      { tag: tags.propertyName, color: 'var(--mantine-color-brand-text)' },
      { tag: tags.string, color: 'var(--lr-ok)' },
      { tag: [tags.number, tags.atom], color: 'var(--lr-warning)' },
      { tag: tags.punctuation, color: 'var(--mantine-color-dimmed)' },
    ]),
  ),
]
