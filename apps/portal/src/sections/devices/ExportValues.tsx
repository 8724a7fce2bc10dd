import { late } from '@longreach/ui/late'
import { useWords } from '@longreach/ui/use-words'
import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import type { ExportDevices } from '../../parts/export/export-draft.ts'
import { loadExportDialog } from '../../parts/export/export-loading.ts'

const ExportDialog = late(loadExportDialog)

/** Opens the export of values of some devices. Words: the file `devices`. */
export function ExportValues({ devices, name }: { devices: ExportDevices; name?: string }) {
  const t = useWords()
  const [opened, setOpened] = useState(false)
  return (
    <>
      <Button
        variant="default"
        size="compact-sm"
        leftSection={<IconDownload size={14} />}
        onClick={() => setOpened(true)}
      >
        {t('devices.exportValues')}
      </Button>
      {opened && (
        <Suspense fallback={null}>
          <ExportDialog
            devices={devices}
            start={{ range: '24h', ...(name !== undefined && { name }) }}
            onClose={() => setOpened(false)}
          />
        </Suspense>
      )}
    </>
  )
}
