import { useWords } from '@longreach/ui/use-words'
import { FormDialog } from '@longreach/ui/FormDialog'
import { TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { api } from '../../parts/api/api.ts'
import { useErrorText } from '../../parts/words/error-text.ts'
import { useSession } from '../../parts/session/session.ts'
import { groupsChanged } from './group-calls.ts'

type Props = {
  /** Absent: a new one. */
  group?: { id: number; name: string }
  onClose: () => void
  onDone?: (group: { id: number }) => void
}

/** A name for a new device group, or another one for one that is there. */
export function GroupNameDialog({ group, onClose, onDone }: Props) {
  const t = useWords()
  const errorText = useErrorText()
  const org = useSession().organization.resourceId
  const [name, setName] = useState(group?.name ?? '')
  const [tried, setTried] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const save = useMutation({
    mutationFn: () =>
      group
        ? api.core.updateSecurityPolicy({
            params: { org, policy: String(group.id) },
            body: { name: name.trim() },
          })
        : api.core.createSecurityPolicy({ params: { org }, body: { name: name.trim() } }),
    onSuccess: async (made) => {
      await groupsChanged()
      onClose()
      onDone?.(made)
    },
    onError: () => field.current?.focus(),
  })
  const failure = save.error ? errorText(save.error) : undefined
  const missing = tried && name.trim() === ''
  return (
    <FormDialog
      onClose={onClose}
      title={group ? t('device-groups.rename') : t('device-groups.new')}
      verb={group ? t('device-groups.renameVerb') : t('device-groups.create')}
      pending={save.isPending}
      error={failure && failure.fields['name'] === undefined ? failure.message : undefined}
      onSubmit={() => {
        setTried(true)
        if (name.trim() === '') field.current?.focus()
        else save.mutate()
      }}
    >
      <TextInput
        ref={field}
        data-autofocus
        label={t('device-groups.name')}
        description={t('device-groups.nameHelp')}
        value={name}
        maxLength={255}
        error={missing ? t('device-groups.nameNeeded') : failure?.fields['name']}
        onChange={(event) => setName(event.currentTarget.value)}
      />
    </FormDialog>
  )
}
