import { CopyText } from '@longreach/ui/CopyText'
import { FormShell } from '@longreach/ui/FormShell'
import { RelativeTime } from '@longreach/ui/RelativeTime'
import { Facts } from '@longreach/ui/SidePanel'
import { useToast } from '@longreach/ui/Toasts'
import { useWords } from '@longreach/ui/use-words'
import { TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../parts/api/api.ts'
import { useErrorText } from '../../parts/words/error-text.ts'
import { useMay } from '../../parts/session/session.ts'
import { peopleChanged, type Person, useOrg } from './people-calls.ts'
import classes from './permission.module.css'

/** Name and address of a person; what cannot be changed stands above. */
export function ProfileTab({ person }: { person: Person }) {
  const t = useWords()
  const may = useMay()('users:update')
  return (
    <div className={classes.form}>
      <Facts
        items={[
          {
            label: t('permission.username'),
            value: <CopyText text={person.username} label={t('permission.username')} />,
          },
          ...(may ? [] : [{ label: t('permission.email'), value: person.email || '—' }]),
          { label: t('permission.created'), value: <RelativeTime at={person.createdAt} /> },
          {
            label: t('permission.id'),
            value: <CopyText text={String(person.id)} label={t('permission.id')} />,
          },
        ]}
      />
      {may && <ProfileForm person={person} />}
    </div>
  )
}

function ProfileForm({ person }: { person: Person }) {
  const t = useWords()
  const errorText = useErrorText()
  const toast = useToast()
  const org = useOrg()
  const [facts, setFacts] = useState({
    firstName: person.firstName,
    lastName: person.lastName,
    email: person.email,
  })
  const save = useMutation({
    mutationFn: () => api.core.updateUser({ params: { org, user: person.id }, body: facts }),
    onSuccess: async () => {
      await peopleChanged()
      toast({ message: t('permission.saved') })
    },
  })
  const failure = save.error ? errorText(save.error) : undefined
  const fields = failure?.fields ?? {}
  const inField = Object.keys(facts).some((field) => fields[field] !== undefined)
  const names = person.serviceAccount ? [] : (['firstName', 'lastName', 'email'] as const)
  if (names.length === 0) return null
  return (
    <FormShell
      verb={t('permission.save')}
      pending={save.isPending}
      error={inField ? undefined : failure?.message}
      onSubmit={() => save.mutate()}
    >
      {names.map((field) => (
        <TextInput
          key={field}
          label={t(`permission.${field}`)}
          type={field === 'email' ? 'email' : 'text'}
          maxLength={255}
          value={facts[field]}
          error={fields[field]}
          onChange={(event) => setFacts({ ...facts, [field]: event.currentTarget.value })}
        />
      ))}
    </FormShell>
  )
}
