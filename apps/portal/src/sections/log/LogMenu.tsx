import { ActionButton } from '@longreach/ui/ActionButton'
import { late } from '@longreach/ui/late'
import { useWords } from '@longreach/ui/use-words'
import { ActionIcon, Button, Menu, Tooltip } from '@mantine/core'
import { IconClockHour4, IconDownload, IconRefresh, IconShieldCheck } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { auditContract } from '@longreach/audit/contract'
import { urlOf } from '@longreach/kit/url-of'
import type { Question } from '../../parts/audit/audit-calls.ts'
import { saveFile } from '../../parts/tables/save-file.ts'
import { useErrorText } from '../../parts/words/error-text.ts'
import { authorizedFetch } from '../../parts/api/send.ts'
import { useMay, useSession } from '../../parts/session/session.ts'

const RetentionDialog = late(() => import('./RetentionDialog.tsx'), 'RetentionDialog')
const VerifyDialog = late(() => import('./VerifyDialog.tsx'), 'VerifyDialog')

type Props = { question: Question; onRefresh: () => void }

/** Menu of the actions on the whole log: refresh, export, retention, check. */
export function LogMenu({ question, onRefresh }: Props) {
  const t = useWords()
  const may = useMay()('organizations:update')
  const isRoot = !useSession().organization.resourceId.includes('.')
  const [dialog, setDialog] = useState<'retention' | 'verify'>()
  const close = () => setDialog(undefined)
  return (
    <>
      <Tooltip label={t('log.refresh')}>
        <ActionIcon variant="default" size={30} aria-label={t('log.refresh')} onClick={onRefresh}>
          <IconRefresh size={16} />
        </ActionIcon>
      </Tooltip>
      <ActionButton
        reason={may ? undefined : t('log.retention.mayNot')}
        variant="default"
        leftSection={<IconClockHour4 size={16} />}
        onClick={() => setDialog('retention')}
      >
        {t('log.retention')}
      </ActionButton>
      {isRoot && (
        <Button
          variant="default"
          leftSection={<IconShieldCheck size={16} />}
          onClick={() => setDialog('verify')}
        >
          {t('log.verify')}
        </Button>
      )}
      <ExportMenu question={question} />
      {dialog === 'retention' && <RetentionDialog onClose={close} />}
      {dialog === 'verify' && <VerifyDialog onClose={close} />}
    </>
  )
}

function ExportMenu({ question }: { question: Question }) {
  const t = useWords()
  const errorText = useErrorText()
  const take = useMutation({
    mutationFn: async (format: 'csv' | 'jsonl') => {
      const { pageSize: _, cursor: __, ...wanted } = question
      const url = urlOf(auditContract, auditContract.endpoints.export, {
        query: { ...wanted, format },
      })
      const answer = await authorizedFetch(url)
      if (!answer.ok) throw new TypeError(answer.statusText)
      const day = new Date().toISOString().slice(0, 10)
      const type = answer.headers.get('content-type') ?? ''
      saveFile(`audit-${day}.${format}`, [await answer.blob()], type)
    },
  })
  return (
    <>
      {take.error && <span role="alert">{errorText(take.error).message}</span>}
      <Menu position="bottom-end">
        <Menu.Target>
          <Button leftSection={<IconDownload size={16} />} loading={take.isPending}>
            {t('log.export')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{t('log.export.what')}</Menu.Label>
          <Menu.Item onClick={() => take.mutate('csv')}>{t('log.export.csv')}</Menu.Item>
          <Menu.Item onClick={() => take.mutate('jsonl')}>{t('log.export.jsonl')}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  )
}
