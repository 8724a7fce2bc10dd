import { useWords } from '@longreach/ui/use-words'
import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import type { ExportDevices } from '../../parts/export/export-draft.ts'
import { LateExportDialog } from '../../parts/export/export-loading.ts'

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
        <LateExportDialog
          devices={devices}
          start={{ range: '24h', ...(name !== undefined && { name }) }}
          onClose={() => setOpened(false)}
        />
      )}
    </>
  )
}
