import { useToast } from '@longreach/ui/Toasts'
import { useWords } from '@longreach/ui/use-words'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { api, query } from '../../parts/api/api.ts'
import { useErrorText } from '../../parts/words/error-text.ts'
import type { Organization } from '../../parts/session/session.ts'
import { changeOf, sentName, type ValueName, type Values, valuesOf } from './change-rules.ts'
import { type Change, organizationsChanged } from './organization-calls.ts'

const pauseMs = 300

/** Some fields of an organization being edited, and what saving them would mean, asked as one types. */
export function useOrganizationForm(organization: Organization, names: readonly ValueName[]) {
  const t = useWords()
  const toast = useToast()
  const errorText = useErrorText()
  const [values, setValues] = useState(() => valuesOf(organization))
  const change = changeOf(valuesOf(organization), values, names)
  // As a text, which is the same as long as the change is.
  const text = change && JSON.stringify(change)
  const [askedText] = useDebouncedValue(text, pauseMs)
  const asked = useMemo(
    () => (askedText === undefined ? undefined : (JSON.parse(askedText) as Change)),
    [askedText],
  )
  const params = { org: organization.resourceId }
  const effects = useQuery({
    ...query(api.core.consequences, { params, body: asked ?? {} }),
    enabled: asked !== undefined,
    placeholderData: keepPreviousData,
  })
  const save = useMutation({
    mutationFn: (force: boolean) =>
      api.core.updateOrganization({ params, query: { force }, body: change ?? {} }),
    onSuccess: async (saved) => {
      await organizationsChanged()
      setValues(valuesOf(saved))
      toast({ message: t('organizations.saved', { label: saved.label }) })
    },
  })
  const failure = save.error ? errorText(save.error) : undefined
  const found = change === undefined ? [] : (effects.data ?? [])
  return {
    values,
    change,
    set: <K extends ValueName>(name: K, value: Values[K]) =>
      setValues((before) => ({ ...before, [name]: value })),
    reset: () => {
      save.reset()
      setValues(valuesOf(organization))
    },
    save,
    /** State of the effects: true when they belong to the values that are in the form now. */
    known:
      text !== undefined &&
      askedText === text &&
      !effects.isPlaceholderData &&
      effects.data !== undefined,
    effectsOf: (name: ValueName) => found.filter(({ field }) => field === sentName(name)),
    effects: found,
    errorOf: (name: ValueName) => failure?.fields[sentName(name)],
    failure,
    unclear: effects.error ? errorText(effects.error) : undefined,
  }
}
export type OrganizationForm = ReturnType<typeof useOrganizationForm>
