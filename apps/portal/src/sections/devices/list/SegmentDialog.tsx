import { Hint } from '@longreach/ui/Hint'
import { useWords } from '@longreach/ui/use-words'
import { FormDialog } from '@longreach/ui/FormDialog'
import { Checkbox, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api, stale } from '../../../parts/api/api.ts'
import { useErrorText } from '../../../parts/words/error-text.ts'
import { useMay, useSession } from '../../../parts/session/session.ts'
import type { Segment, SegmentContent } from './segment-calls.ts'

type Props = {
  /** Given: this one gets another name, or other people see it. */
  segment?: Segment | undefined
  content: SegmentContent
  onClose: () => void
  onSaved: (id: string) => void
}

/** Saves what the list shows, or the devices that are picked, under a name. */
export function SegmentDialog({ segment, content, onClose, onSaved }: Props) {
  const t = useWords()
  const errorText = useErrorText()
  const [name, setName] = useState(segment?.name ?? '')
  const [shared, setShared] = useState(segment?.shared ?? false)
  const [tried, setTried] = useState(false)
  const save = useSaving({ segment, content, onClose, onSaved })
  const failure = save.error ? errorText(save.error) : undefined
  const atName = failure?.fields['name']
  const empty = name.trim() === ''
  const title = segment ? 'devices.segmentEdit' : 'devices.segmentSave'
  return (
    <FormDialog
      onClose={onClose}
      title={t(title)}
      verb={t('devices.segmentVerb')}
      pending={save.isPending}
      error={atName === undefined ? failure?.message : undefined}
      onSubmit={() => {
        setTried(true)
        if (!empty) save.mutate({ name: name.trim(), shared })
      }}
    >
      <TextInput
        data-autofocus
        label={t('devices.segmentName')}
        value={name}
        maxLength={100}
        error={tried && empty ? t('devices.segmentNameNeeded') : atName}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <SharedField shared={shared} onChange={setShared} />
    </FormDialog>
  )
}

/** Makes the segment, or changes it. */
function useSaving({ segment, content, onClose, onSaved }: Props) {
  const organization = useSession().organization.resourceId
  return useMutation({
    mutationFn: (body: { name: string; shared: boolean }) =>
      segment
        ? api.mappings.updateSegment({ params: { id: segment.id }, query: { organization }, body })
        : api.mappings.createSegment({ query: { organization }, body: { ...body, content } }),
    onSuccess: async ({ id }) => {
      await stale(api.mappings.segments)
      if (!segment) onSaved(id)
      onClose()
    },
  })
}

function SharedField({ shared, onChange }: { shared: boolean; onChange: (on: boolean) => void }) {
  const t = useWords()
  const may = useMay()('devices:update')
  return (
    <Hint text={may ? undefined : t('devices.mayNotShare')}>
      <Checkbox
        label={t('devices.segmentForAll')}
        checked={shared}
        aria-disabled={!may}
        onChange={(event) => may && onChange(event.currentTarget.checked)}
      />
    </Hint>
  )
}
