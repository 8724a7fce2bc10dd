import { FormShell } from '@longreach/ui/FormShell'
import { Reason } from '@longreach/ui/Reason'
import { useWords } from '@longreach/ui/use-words'
import { Checkbox, Modal, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api, stale } from '../../lib/api.ts'
import { useErrorText } from '../../lib/error-text.ts'
import { useMay, useSession } from '../../lib/session.ts'
import type { Segment, SegmentContent } from './segment-calls.ts'

type Props = {
  /** Given: this one gets another name, or other people see it. */
  segment?: Segment
  content: SegmentContent
  onClose: () => void
  onSaved: (id: string) => void
}

/** Saves what the list shows, or the devices that are picked, under a name. */
export function SegmentDialog({ segment, content, onClose, onSaved }: Props) {
  const t = useWords()
  const errorText = useErrorText()
  const mayShare = useMay()('devices:update')
  const organization = useSession().organization.resourceId
  const [name, setName] = useState(segment?.name ?? '')
  const [shared, setShared] = useState(segment?.shared ?? false)
  const [tried, setTried] = useState(false)
  const save = useMutation({
    mutationFn: () => {
      const body = { name: name.trim(), shared }
      const query = { organization }
      return segment
        ? api.mappings.updateSegment({ params: { id: segment.id }, query, body })
        : api.mappings.createSegment({ query, body: { ...body, content } })
    },
    onSuccess: async ({ id }) => {
      await stale(api.mappings.segments)
      if (!segment) onSaved(id)
      onClose()
    },
  })
  const failure = save.error ? errorText(save.error) : undefined
  const atName = failure?.fields['name']
  const empty = name.trim() === ''
  return (
    <Modal
      opened
      onClose={onClose}
      title={segment ? t('devices.segmentEdit') : t('devices.segmentSave')}
      closeButtonProps={{ 'aria-label': t('ui.close') }}
    >
      <FormShell
        verb={t('devices.segmentVerb')}
        pending={save.isPending}
        error={atName === undefined ? failure?.message : undefined}
        onCancel={onClose}
        onSubmit={(event) => {
          event.preventDefault()
          setTried(true)
          if (!empty) save.mutate()
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
        <Reason text={mayShare ? undefined : t('devices.mayNotShare')}>
          <Checkbox
            label={t('devices.segmentForAll')}
            checked={shared}
            aria-disabled={!mayShare}
            onChange={(event) => mayShare && setShared(event.currentTarget.checked)}
          />
        </Reason>
      </FormShell>
    </Modal>
  )
}
