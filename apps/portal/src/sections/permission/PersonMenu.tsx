import { ConfirmDialog } from '@longreach/ui/ConfirmDialog'
import { useToast } from '@longreach/ui/Toasts'
import { useWords } from '@longreach/ui/use-words'
import { ActionIcon, Button } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../parts/api/api.ts'
import { useErrorText } from '../../parts/words/error-text.ts'
import { useMay, useSession } from '../../parts/session/session.ts'
import { peopleChanged, type Person, personName, useOrg } from './people-calls.ts'
import classes from './permission.module.css'
import { ActAs } from './ActAs.tsx'
import { InviteButton } from './InviteButton.tsx'

type Props = { person: Person; onGone: () => void }

/** Invite again, act as them, disable, take out of the organization. */
export function PersonMenu({ person, onGone }: Props) {
  const t = useWords()
  const may = useMay()
  const [removing, setRemoving] = useState(false)
  return (
    <>
      {may('users:update') && <InviteButton person={person} word="permission.newLink" />}
      <ActAs person={person} />
      {may('users:update') && <Switch person={person} />}
      {may('users:delete') && (
        <ActionIcon
          variant="default"
          size={30}
          aria-label={t('permission.remove')}
          title={t('permission.remove')}
          onClick={() => setRemoving(true)}
        >
          <IconTrash size={16} stroke={1.6} />
        </ActionIcon>
      )}
      {removing && (
        <RemoveDialog person={person} onClose={() => setRemoving(false)} onGone={onGone} />
      )}
    </>
  )
}

/** Reversible, so it is done at once and can be taken back. */
function Switch({ person }: { person: Person }) {
  const t = useWords()
  const errorText = useErrorText()
  const toast = useToast()
  const org = useOrg()
  const self = useSession().subject === person.sub
  const set = useMutation({
    mutationFn: (enabled: boolean) =>
      api.core.updateUser({ params: { org, user: person.id }, body: { enabled } }),
    onError: (error) => toast({ kind: 'failed', message: errorText(error).message }),
    onSuccess: async (_, enabled) => {
      await peopleChanged()
      const word = enabled ? 'permission.isEnabled' : 'permission.isDisabled'
      toast({
        message: t(word, { name: personName(person) }),
        action: { label: t('permission.undo'), run: () => set.mutate(!enabled) },
      })
    },
  })
  if (self) return null
  return (
    <Button variant="default" loading={set.isPending} onClick={() => set.mutate(!person.enabled)}>
      {t(person.enabled ? 'permission.disable' : 'permission.enable')}
    </Button>
  )
}

function RemoveDialog({ person, onClose, onGone }: Props & { onClose: () => void }) {
  const t = useWords()
  const errorText = useErrorText()
  const org = useOrg()
  const remove = useMutation({
    mutationFn: () => api.core.deleteUser({ params: { org, user: person.id } }),
    onSuccess: () => {
      onGone()
      return peopleChanged()
    },
  })
  return (
    <ConfirmDialog
      title={t('permission.removeTitle', { name: personName(person) })}
      verb={t('permission.remove')}
      danger
      typed={person.username}
      pending={remove.isPending}
      error={remove.error ? errorText(remove.error).message : undefined}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <p className={classes.text}>{t('permission.removeText')}</p>
    </ConfirmDialog>
  )
}
