import { ListTable } from '../pages/ListTable.tsx'
import { EmptyState } from '@longreach/ui/EmptyState'
import { Split } from '@longreach/ui/PageHeader'
import { useWords } from '@longreach/ui/use-words'
import { useState } from 'react'
import { AuditPanel } from './AuditPanel.tsx'
import { useEntries } from './audit-calls.ts'
import { useAuditColumns } from './audit-columns.tsx'
import { useReach } from '../session/reach.ts'
import { useMay } from '../session/session.ts'

type Props = { resource: string; id: string | number; organization?: string | undefined }

/** The lines of the audit trail about one thing, and each of them beside the list. */
export function AuditTrail({ resource, id, organization }: Props) {
  const t = useWords()
  const may = useMay()('audit:access')
  const reach = useReach()
  const place = organization ?? reach
  const list = useEntries({ organization: place, resource, target: String(id) })
  const columns = useAuditColumns({ target: false })
  const [open, setOpen] = useState<number>()
  if (!may) return <EmptyState kind="forbidden" title={t('log.mayNot')} />
  return (
    <Split>
      <ListTable
        name="audit"
        label={t('shell.section.log')}
        columns={columns}
        rows={list.data?.pages.flatMap(({ data }) => data) ?? []}
        rowId={(row) => String(row.id)}
        selected={open === undefined ? undefined : String(open)}
        onOpen={(row) => setOpen(row.id)}
        list={list}
        none={{ title: t('log.noneHere'), text: t('log.noneText') }}
      />
      {open !== undefined && (
        <AuditPanel key={open} id={open} organization={place} onClose={() => setOpen(undefined)} />
      )}
    </Split>
  )
}
