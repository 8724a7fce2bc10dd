import type { Column } from '@longreach/ui/DataTable'
import { late } from '@longreach/ui/late'
import { useWords } from '@longreach/ui/use-words'
import { useMemo, useState } from 'react'
import type { Escalation } from '../../parts/notifications/notification-calls.ts'
import { useEscalations } from './admin-calls.ts'
import { AdminList, nameColumn, NewButton } from './AdminList.tsx'
import { useRecipientNames } from './recipient-names.ts'

const EscalationDialog = late(() => import('./EscalationDialog.tsx'), 'EscalationDialog')

/** Escalations: who is told step after step until somebody acknowledges. */
export function EscalationsTab() {
  const t = useWords()
  const list = useEscalations()
  const [opened, setOpened] = useState<Escalation | 'new'>()
  return (
    <>
      <AdminList
        tab="escalations"
        name="escalations"
        columns={useEscalationColumns()}
        rows={list.data?.data ?? []}
        rowId={({ id }) => id}
        total={list.data?.data.length}
        onOpen={setOpened}
        list={list}
        actions={
          <NewButton
            permission="notifications:update"
            text={t('on-call.newEscalation')}
            onClick={() => setOpened('new')}
          />
        }
        none={{ title: t('on-call.noEscalations'), text: t('on-call.noEscalationsText') }}
      />
      {opened && (
        <EscalationDialog
          {...(opened !== 'new' && { escalation: opened })}
          onClose={() => setOpened(undefined)}
        />
      )}
    </>
  )
}

function useEscalationColumns(): Column<Escalation>[] {
  const t = useWords()
  const { toText } = useRecipientNames()
  return useMemo(
    () => [
      nameColumn(t('notifications-admin.name')),
      {
        id: 'steps',
        label: t('on-call.steps'),
        width: 380,
        grow: 5,
        card: 'detail' as const,
        cell: ({ steps }) =>
          steps
            .map(({ afterMin, to }) =>
              t('on-call.stepText', { minutes: afterMin, to: to.map(toText).join(', ') }),
            )
            .join(' → '),
      },
      {
        id: 'repeat',
        label: t('on-call.repeat'),
        width: 170,
        card: 'detail' as const,
        value: ({ repeat }) => repeat,
        cell: ({ repeat }) => t('on-call.repeatText', { count: repeat }),
      },
    ],
    [t, toText],
  )
}
