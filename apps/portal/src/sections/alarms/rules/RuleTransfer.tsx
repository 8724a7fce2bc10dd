import { late } from '@longreach/ui/late'
import { useToast } from '@longreach/ui/Toasts'
import { useWords } from '@longreach/ui/use-words'
import { Button } from '@mantine/core'
import { IconDownload, IconUpload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { alarmsApi } from '../../../parts/alarms/alarm-calls.ts'
import { useMay, useSession } from '../../../parts/session/session.ts'
import { saveFile } from '../../../parts/tables/save-file.ts'
import { useErrorText } from '../../../parts/words/error-text.ts'
import { useRuleOrganization } from './rule-calls.ts'

const ImportRulesDialog = late(() => import('./ImportRulesDialog.tsx'), 'ImportRulesDialog')

/** Buttons that save the rules of the organization as a file, and take those of a file. */
export function RuleTransfer() {
  const t = useWords()
  const toast = useToast()
  const errorText = useErrorText()
  const may = useMay()
  const query = useRuleOrganization()
  const { resourceId } = useSession().organization
  const [importing, setImporting] = useState(false)
  const save = useMutation({
    mutationFn: () => alarmsApi.exportRules({ query }),
    onSuccess: (file) =>
      saveFile(
        `alarm-rules-${resourceId}.json`,
        [JSON.stringify(file, undefined, 2)],
        'application/json',
      ),
    onError: (error) => toast({ kind: 'failed', message: errorText(error).message }),
  })
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconDownload size={16} stroke={1.8} />}
        loading={save.isPending}
        onClick={() => save.mutate()}
      >
        {t('rule-tools.export')}
      </Button>
      {may('alarms:create') && (
        <Button
          variant="default"
          leftSection={<IconUpload size={16} stroke={1.8} />}
          onClick={() => setImporting(true)}
        >
          {t('rule-tools.import')}
        </Button>
      )}
      {importing && <ImportRulesDialog onClose={() => setImporting(false)} />}
    </>
  )
}
