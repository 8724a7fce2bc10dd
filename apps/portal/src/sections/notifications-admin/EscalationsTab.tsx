import { ActionButton } from '@longreach/ui/ActionButton'
import type { Column } from '@longreach/ui/DataTable'
import { late } from '@longreach/ui/late'
import { useWords } from '@longreach/ui/use-words'
import { IconPlus } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import type { Escalation } from '../../parts/notifications/notification-calls.ts'
import { ListPage } from '../../parts/pages/ListPage.tsx'
import { useEscalations, useMayNot } from './admin-calls.ts'
import { AdminTabs } from './AdminTabs.tsx'
import { useRecipientNames } from './recipient-names.ts'

const EscalationDialog = late(() => import('./EscalationDialog.tsx'), 'EscalationDialog')

/** Escalations: who is told step after step until somebody acknowledges. */
export function EscalationsTab() {
  const t = useWords()
  const list = useEscalations()
  const reason = useMayNot('notifications:update')
  const [opened, setOpened] = useState<Escalation | 'new'>()
  return (
    <>
      <ListPage
        title={t('shell.section.notifications-admin')}
        help={t('notifications-admin.help')}
        label={t('notifications-admin.tab.escalations')}
        above={<AdminTabs chosen="escalations" />}
        name="escalations"
        columns={useEscalationColumns()}
        rows={list.data?.data ?? []}
        rowId={({ id }) => id}
        total={list.data?.data.length}
        onOpen={setOpened}
        list={list}
        actions={
          <ActionButton
            reason={reason && t(reason)}
            leftSection={<IconPlus size={16} />}
            onClick={() => setOpened('new')}
          >
            {t('on-call.newEscalation')}
          </ActionButton>
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
      {
        id: 'name',
        label: t('notifications-admin.name'),
        width: 200,
        grow: 2,
        fixed: true,
        card: 'title' as const,
        value: ({ name }) => name,
        cell: ({ name }) => name,
      },
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
