import type { ColumnType, Generated } from 'kysely'
import type { AgreementType, Texts } from './agreement-contract.ts'

type AgreementTable = {
  id: Generated<number>
  realm: string
  service_name: string
  type: AgreementType
  version: number
  default_name: string
  acceptance_field: string
  link: string
  texts: ColumnType<Texts, string, string>
  mandatory: boolean
  disabled: Generated<boolean>
  validity_start: Date
  validity_end: Date | null
  created_at: Date
  created_by: string
}

export type AgreementsTables = {
  agreement: AgreementTable
  agreement_acceptance: {
    agreement_id: number
    sub: string
    username: string
    accepted_at: Date
    ip: string
  }
}
