import { useToast } from '@longreach/ui/Toasts'
import { useWords } from '@longreach/ui/use-words'
import { ActionIcon, Menu } from '@mantine/core'
import { IconDots, IconFilterCheck, IconPencil, IconTrash } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { api, stale } from '../../../parts/api/api.ts'
import { filtersOf, isFiltered, type ListState } from '../../../parts/devices/device-filters.ts'
import { useErrorText } from '../../../parts/words/error-text.ts'
import { useSession } from '../../../parts/session/session.ts'
import type { Segment } from './segment-calls.ts'
import classes from '../devices.module.css'

type Props = { segment: Segment; state: ListState; onRename: () => void; onGone: () => void }

/** Menu of the actions on a saved view of the devices. */
export function SegmentMenu({ segment, state, onRename, onGone }: Props) {
  const t = useWords()
  const toast = useToast()
  const errorText = useErrorText()
  const organization = useSession().organization.resourceId
  const call = { params: { id: segment.id }, query: { organization } }
  const failed = (error: unknown) => toast({ kind: 'failed', message: errorText(error).message })
  const done = () => stale(api.mappings.segments)
  const bring = () =>
    api.mappings
      .createSegment({
        query: { organization },
        body: {
          name: segment.name,
          shared: segment.shared,
          content: { question: withoutSegment(segment.question) },
        },
      })
      .then(done, failed)
  const remove = useMutation({
    mutationFn: () => api.mappings.deleteSegment(call),
    onError: failed,
    onSuccess: async () => {
      onGone()
      await done()
      const undo = { label: t('devices.undo'), run: () => void bring() }
      toast({
        message: t('devices.segmentDeleted', { name: segment.name }),
        ...(segment.kind === 'dynamic' && { action: undo }),
      })
    },
  })
  const update = useMutation({
    mutationFn: () => {
      const question = filtersOf({ ...state, segment: undefined })
      return api.mappings.updateSegment({ ...call, body: { question } })
    },
    onError: failed,
    onSuccess: done,
  })
  const narrowed = isFiltered({ ...state, segment: undefined })
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          size="sm"
          className={classes.railMore}
          aria-label={t('devices.segmentMenu', { name: segment.name })}
        >
          <IconDots size={14} stroke={1.6} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconPencil size={15} stroke={1.6} />} onClick={onRename}>
          {t('devices.segmentEdit')}
        </Menu.Item>
        {segment.kind === 'dynamic' && narrowed && (
          <Menu.Item
            leftSection={<IconFilterCheck size={15} stroke={1.6} />}
            onClick={() => update.mutate()}
          >
            {t('devices.segmentUpdate')}
          </Menu.Item>
        )}
        <Menu.Item
          className={classes.danger}
          leftSection={<IconTrash size={15} stroke={1.6} />}
          onClick={() => remove.mutate()}
        >
          {t('devices.segmentDelete')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

const withoutSegment = (question: Segment['question']) => {
  const { segment: _left, ...rest } = question
  return rest
}
