import { useCallback } from 'react'
import { useIntl } from 'react-intl'

export type Values = Record<string, string | number | boolean | Date | null | undefined>

/** `t('shell.section.devices')`: the message in the person's language, with its values filled in. */
export function useWords() {
  const intl = useIntl()
  return useCallback((id: string, values?: Values) => intl.formatMessage({ id }, values), [intl])
}
