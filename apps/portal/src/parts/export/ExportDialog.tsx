import { FormShell } from '@longreach/ui/FormShell'
import { useToast } from '@longreach/ui/Toasts'
import { useWords } from '@longreach/ui/use-words'
import { Dialog } from '@longreach/ui/Dialog'
import { Checkbox, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { seriesQuery } from '../devices/devices.ts'
import type { ExportDevices } from './export-draft.ts'
import { ExportEstimate } from './ExportEstimate.tsx'
import { ExportFields } from './ExportFields.tsx'
import { useReach } from '../session/reach.ts'
import { type ExportStart, useExportForm } from './use-export-form.ts'
import classes from './export.module.css'

type Props = { devices: ExportDevices; start: ExportStart; onClose: () => void }

/** Dialog for an export, with its estimated size before it starts. */
export function ExportDialog({ devices, start, onClose }: Props) {
  const t = useWords()
  const toast = useToast()
  const body = useRef<HTMLDivElement>(null)
  const form = useExportForm({
    devices,
    start,
    onDone(background) {
      toast({ message: t(background ? 'export.started' : 'export.saved') })
      onClose()
    },
  })
  const { draft, window, faults, large, background, estimate, change } = form
  const knownPaths = usePaths(devices)
  return (
    <Dialog size={620} onClose={onClose} title={t('export.title')}>
      <div ref={body} className={classes.body}>
        <FormShell
          verb={t(background ? 'export.start' : 'export.download')}
          pending={form.pending}
          error={form.message}
          onCancel={onClose}
          onSubmit={() => {
            // After the render that shows what is missing.
            if (!form.submit()) requestAnimationFrame(() => focusFault(body.current))
          }}
        >
          <ExportFields
            {...{ draft, window, faults, knownPaths }}
            withPaths={!('sources' in devices)}
            onChange={change}
          />
          <TextInput
            label={t('export.name')}
            value={draft.name}
            maxLength={120}
            error={faults['name']}
            rightSection={<span className={classes.dim}>.{draft.format}</span>}
            rightSectionWidth={48}
            onChange={(event) => change({ name: event.currentTarget.value })}
          />
          <Checkbox
            label={t('export.background')}
            description={t(large ? 'export.backgroundLarge' : 'export.backgroundHelp')}
            checked={background}
            disabled={large}
            onChange={(event) => change({ background: event.currentTarget.checked })}
          />
          <ExportEstimate estimate={estimate.data} pending={estimate.isFetching} />
        </FormShell>
      </div>
    </Dialog>
  )
}

const focusFault = (body: HTMLElement | null) =>
  body?.querySelector<HTMLElement>('input:is([aria-invalid=true], [data-error=true])')?.focus()

/** Paths to choose from: those of the device, where there is one. */
function usePaths(devices: ExportDevices) {
  const id = 'ids' in devices && devices.ids.length === 1 ? (devices.ids[0] ?? '') : ''
  const { data = [] } = useQuery({ ...seriesQuery(useReach(), id), enabled: id !== '' })
  return data.map(({ modelPath }) => modelPath)
}
