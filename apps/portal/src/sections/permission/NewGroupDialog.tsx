import { useWords } from '@longreach/ui/use-words'
import { FormDialog } from '@longreach/ui/FormDialog'
import { TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../parts/api/api.ts'
import { useErrorText } from '../../parts/words/error-text.ts'
import { useSearch } from '../../parts/pages/use-search.ts'
import { peopleChanged, useOrg } from './people-calls.ts'

/** A group by name; its panel opens then, for members and roles. */
export function NewGroupDialog({ onClose }: { onClose: () => void }) {
  const t = useWords()
  const errorText = useErrorText()
  const org = useOrg()
  const [, change] = useSearch()
  const [name, setName] = useState('')
  const create = useMutation({
    mutationFn: () => api.core.createUserGroup({ params: { org }, body: { name } }),
    onSuccess: async ({ id }) => {
      await peopleChanged()
      onClose()
      void change({ group: id })
    },
  })
  const failure = create.error ? errorText(create.error) : undefined
  const field = failure?.fields['name']
  return (
    <FormDialog
      onClose={onClose}
      title={t('permission.newGroup')}
      verb={t('permission.create')}
      pending={create.isPending}
      error={field === undefined ? failure?.message : undefined}
      onSubmit={() => create.mutate()}
    >
      <TextInput
        data-autofocus
        label={t('permission.name')}
        maxLength={255}
        value={name}
        error={field}
        onChange={(event) => setName(event.currentTarget.value)}
      />
    </FormDialog>
  )
}
