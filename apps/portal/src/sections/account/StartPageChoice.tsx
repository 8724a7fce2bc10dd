import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { useWords } from '@longreach/ui/use-words'
import { Select } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../parts/api/api.ts'
import { useErrorText } from '../../parts/words/error-text.ts'
import { useSession } from '../../parts/session/session.ts'
import {
  chooseStartPage,
  chosenStartPage,
  type StartPage,
  startPageOf,
  startPages,
  startPageService as serviceName,
} from '../../parts/look/start-page.ts'

/** Choice of the person's start page in this organization, saved at once. */
export function StartPageChoice() {
  const t = useWords()
  const errorText = useErrorText()
  const org = useSession().organization.resourceId
  const [page, setPage] = useState(chosenStartPage())
  const keep = useMutation({
    mutationFn: async (next: StartPage | undefined) => {
      const params = { org }
      if (next === undefined) {
        await api.core.deleteUserPreference({ params, query: { serviceName } })
      } else {
        await api.core.setUserPreference({ params, body: { serviceName, value: next } })
      }
    },
    onSuccess: (_, next) => {
      chooseStartPage(next)
      setPage(next)
    },
  })
  return (
    <>
      <Select
        label={t('account.startPage')}
        description={t('account.startPageHelp')}
        data={[
          { value: '', label: t('account.startPage.organization') },
          ...startPages.map((value) => ({ value, label: t(`account.startPage.${value}`) })),
        ]}
        value={page ?? ''}
        allowDeselect={false}
        disabled={keep.isPending}
        onChange={(value) => keep.mutate(startPageOf(value ?? ''))}
      />
      {keep.error && <ErrorPanel {...errorText(keep.error)} />}
    </>
  )
}
