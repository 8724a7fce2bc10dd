import { useCallback } from 'react'
import { useIntl } from 'react-intl'
import type charts from '../locales/charts/en.json'
import type ui from '../locales/en.json'

export type Values = Record<string, string | number | boolean | Date | null | undefined>

/** Message ids of an English file of words, given as `typeof words` of `import type words from './locales/en.json'`. */
export type IdsOf<Name extends string, File extends object> = {
  [Key in keyof File & string as `${Name}.${Key}`]: true
}

/** Message ids of the program; each folder with files of words adds its own (`message-ids.ts`). */
export interface MessageIds extends IdsOf<'ui', typeof ui>, IdsOf<'charts', typeof charts> {}

/** Id of a message that the English files contain. */
export type MessageId = keyof MessageIds

/** `t('shell.section.devices')`: the message in the person's language, with its values filled in. */
export function useWords() {
  const intl = useIntl()
  return useCallback((id: MessageId, values?: Values) => intl.formatMessage({ id }, values), [intl])
}

/** Finds the message of a composed id, as of a server's code; undefined if the loaded words do not contain it. */
export function useOptionalWords() {
  const t = useWords()
  const { messages } = useIntl()
  return useCallback(
    (id: string, values?: Values) => {
      const isKnown = (one: string): one is MessageId => messages[one] !== undefined
      return isKnown(id) ? t(id, values) : undefined
    },
    [t, messages],
  )
}

/** Function that returns the message of an id. */
export type Translate = ReturnType<typeof useWords>
