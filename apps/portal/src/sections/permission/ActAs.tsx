import { ConfirmDialog } from '@longreach/ui/ConfirmDialog'
import { useWords } from '@longreach/ui/use-words'
import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../lib/api.ts'
import { useErrorText } from '../../lib/error-text.ts'
import { useMay, useSession } from '../../lib/session.ts'
import { type Person, personName, useOrg } from './people-calls.ts'
import classes from './permission.module.css'

/** Leaves for a link on which the administrator is signed in as this person. */
export function ActAs({ person }: { person: Person }) {
  const t = useWords()
  const errorText = useErrorText()
  const org = useOrg()
  const may = useMay()
  const { subject, impersonator } = useSession()
  const [asking, setAsking] = useState(false)
  const act = useMutation({
    mutationFn: () => api.core.impersonateUser({ params: { org, user: person.id } }),
    onSuccess: ({ url }) => location.assign(url),
  })
  const possible = person.enabled && !person.serviceAccount && person.sub !== subject
  if (!possible || impersonator !== undefined || !may('users:update')) return null
  const name = personName(person)
  return (
    <>
      <Button variant="default" onClick={() => setAsking(true)}>
        {t('permission.actAs')}
      </Button>
      {asking && (
        <ConfirmDialog
          title={t('permission.actAsTitle', { name })}
          verb={t('permission.actAs')}
          pending={act.isPending || act.isSuccess}
          error={act.error ? errorText(act.error).message : undefined}
          onConfirm={() => act.mutate()}
          onClose={() => setAsking(false)}
        >
          <p className={classes.text}>{t('permission.actAsText')}</p>
        </ConfirmDialog>
      )}
    </>
  )
}
