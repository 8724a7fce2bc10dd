import { FormDialog } from '@longreach/ui/FormDialog'
import { useToast } from '@longreach/ui/Toasts'
import { useWords } from '@longreach/ui/use-words'
import { Checkbox, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useSearch } from '../../../parts/pages/use-search.ts'
import { useMay } from '../../../parts/session/session.ts'
import { besideForm, useErrorText } from '../../../parts/words/error-text.ts'
import { type AlarmView, useSaveAlarmView } from './alarm-views.ts'

type Props = { view: AlarmView | undefined; onClose: () => void }

/** Name of a view and who sees it; what is shown now becomes the view. */
export function AlarmViewDialog({ view, onClose }: Props) {
  const t = useWords()
  const toast = useToast()
  const errorText = useErrorText()
  const [, change] = useSearch()
  const mayShare = useMay()('alarms:update')
  const [name, setName] = useState(view?.name ?? '')
  const [shared, setShared] = useState(view?.shared ?? false)
  const [tried, setTried] = useState(false)
  const save = useSaveAlarmView(view, (saved) => {
    void change({ view: saved.id })
    toast({ message: t('alarm-views.saved', { name: saved.name }) })
    onClose()
  })
  const missing = tried && name.trim() === ''
  const failure = save.error ? errorText(save.error) : undefined
  const { at, below } = besideForm(failure, ['name'])
  return (
    <FormDialog
      onClose={onClose}
      title={t(view ? 'alarm-views.edit' : 'alarm-views.saveAs')}
      verb={t('alarm-views.save')}
      pending={save.isPending}
      error={below}
      onSubmit={() => {
        setTried(true)
        if (name.trim() !== '') save.mutate({ name: name.trim(), shared })
      }}
    >
      <TextInput
        label={t('alarm-views.name')}
        maxLength={120}
        value={name}
        error={missing ? t('errors.field.required') : at['name']}
        data-autofocus
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Checkbox
        label={t('alarm-views.share')}
        description={t(mayShare ? 'alarm-views.shareText' : 'alarm-views.mayNotShare')}
        disabled={!mayShare}
        checked={shared}
        onChange={(event) => setShared(event.currentTarget.checked)}
      />
    </FormDialog>
  )
}
