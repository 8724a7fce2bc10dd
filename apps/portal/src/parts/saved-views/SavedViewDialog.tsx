import { FormDialog } from '@longreach/ui/FormDialog'
import { useToast } from '@longreach/ui/Toasts'
import { useWords } from '@longreach/ui/use-words'
import { Checkbox, Textarea, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearch } from '../pages/use-search.ts'
import { besideForm, useErrorText } from '../words/error-text.ts'
import type { SavedView, SavedViews } from './saved-views.ts'

type Props = { views: SavedViews; view: SavedView | undefined; onClose: () => void }

/** Name of a view and who sees it; what is shown now becomes the view. */
export function SavedViewDialog({ views, view, onClose }: Props) {
  const t = useWords()
  const toast = useToast()
  const errorText = useErrorText()
  const [, change] = useSearch()
  const [name, setName] = useState(view?.name ?? '')
  const [description, setDescription] = useState(view?.description ?? '')
  const [shared, setShared] = useState(view?.shared ?? false)
  const [tried, setTried] = useState(false)
  const save = useMutation({
    mutationFn: () => views.save(view, { name: name.trim(), description, shared }),
    onSuccess: (saved) => {
      void change({ view: saved.id })
      toast({ message: t('saved-views.saved', { name: saved.name }) })
      onClose()
    },
  })
  const missing = tried && name.trim() === ''
  const failure = save.error ? errorText(save.error) : undefined
  const { at, below } = besideForm(failure, ['name', 'description'])
  const { isAllowed, text } = views.sharing
  return (
    <FormDialog
      onClose={onClose}
      title={t(view ? 'saved-views.edit' : 'saved-views.saveAs')}
      verb={t('saved-views.save')}
      pending={save.isPending}
      error={below}
      onSubmit={() => {
        setTried(true)
        if (name.trim() !== '') save.mutate()
      }}
    >
      <TextInput
        label={t('saved-views.name')}
        maxLength={120}
        value={name}
        error={missing ? t('errors.field.required') : at['name']}
        data-autofocus
        onChange={(event) => setName(event.currentTarget.value)}
      />
      {views.hasDescriptions && (
        <Textarea
          label={t('saved-views.description')}
          maxLength={1000}
          autosize
          minRows={2}
          value={description}
          error={at['description']}
          onChange={(event) => setDescription(event.currentTarget.value)}
        />
      )}
      <Checkbox
        label={t('saved-views.share')}
        description={text}
        disabled={!isAllowed}
        checked={shared}
        onChange={(event) => setShared(event.currentTarget.checked)}
      />
    </FormDialog>
  )
}
