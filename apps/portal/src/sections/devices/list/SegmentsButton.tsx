import { late } from '@longreach/ui/late'
import { useWords } from '@longreach/ui/use-words'
import { Button } from '@mantine/core'
import { IconBookmark } from '@tabler/icons-react'
import { useState } from 'react'
import type { ListState } from '../../../parts/devices/device-filters.ts'
import type { Change } from './FilterParts.tsx'
import { useShownSegment } from './use-shown-segment.ts'

const SegmentSheet = late(() => import('./SegmentSheet.tsx'), 'SegmentSheet')

type Props = { state: ListState; onChange: Change }

/** Opens the views on the devices, where there is no room for them beside the list. */
export function SegmentsButton({ state, onChange }: Props) {
  const t = useWords()
  const [opened, setOpened] = useState(false)
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconBookmark size={15} stroke={1.6} />}
        aria-haspopup="dialog"
        onClick={() => setOpened(true)}
      >
        {useShownSegment(state) ?? t('devices.segments')}
      </Button>
      {opened && (
        <SegmentSheet state={state} onChange={onChange} onClose={() => setOpened(false)} />
      )}
    </>
  )
}
