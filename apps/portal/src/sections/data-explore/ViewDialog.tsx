import { useToast } from '@longreach/ui/Toasts'
import { useWords } from '@longreach/ui/use-words'
import { FormDialog } from '@longreach/ui/FormDialog'
import { Checkbox, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { besideForm, useErrorText } from '../../parts/words/error-text.ts'
import { useSession } from '../../parts/session/session.ts'
import { useSearch } from '../../parts/pages/use-search.ts'
import { useSaveView, type View } from './use-views.ts'

type Props = { view: View | undefined; onClose: () => void }

/** Name, description and who sees it; what is shown now becomes the view. */
export function ViewDialog({ view, onClose }: Props) {
  const t = useWords()
  const toast = useToast()
  const errorText = useErrorText()
  const [, change] = useSearch()
  const mayShare = useSession().permissions.has('devices:update')
  const [name, setName] = useState(view?.name ?? '')
  const [description, setDescription] = useState(view?.description ?? '')
  const [shared, setShared] = useState(view?.shared ?? false)
  const [tried, setTried] = useState(false)
  const save = useSaveView(view, (saved) => {
    void change({ view: saved.id })
    toast({ message: t('data-explore.viewSaved', { name: saved.name }) })
    onClose()
  })
  const missing = tried && name.trim() === ''
  const failure = save.error ? errorText(save.error) : undefined
  const { at, below } = besideForm(failure, ['name', 'description'])
  return (
    <FormDialog
      onClose={onClose}
      title={view ? t('data-explore.editView') : t('data-explore.saveAs')}
      verb={t('data-explore.saveView')}
      pending={save.isPending}
      error={below}
      onSubmit={() => {
        setTried(true)
        if (name.trim() !== '') save.mutate({ name: name.trim(), description, shared })
      }}
    >
      <TextInput
        label={t('data-explore.viewName')}
        maxLength={120}
        value={name}
        error={missing ? t('errors.field.required') : at['name']}
        data-autofocus
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Textarea
        label={t('data-explore.viewDescription')}
        maxLength={1000}
        autosize
        minRows={2}
        value={description}
        error={at['description']}
        onChange={(event) => setDescription(event.currentTarget.value)}
      />
      <Checkbox
        label={t('data-explore.shareView')}
        description={mayShare ? t('data-explore.shareViewText') : t('data-explore.mayNotShare')}
        disabled={!mayShare}
        checked={shared}
        onChange={(event) => setShared(event.currentTarget.checked)}
      />
    </FormDialog>
  )
}
