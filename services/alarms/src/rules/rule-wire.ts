import type { RuleRow } from './rule-store.ts'

/** Rule as people see it. */
export const toStoredRule = (row: RuleRow & { open?: number }) => ({
  id: row.id,
  orgResourceId: row.org,
  version: row.version,
  below: row.below,
  rule: { ...row.rule },
  createdAt: row.created_at.getTime(),
  updatedAt: row.updated_at.getTime(),
  updatedBy: row.updated_by,
  open: row.open ?? 0,
})
