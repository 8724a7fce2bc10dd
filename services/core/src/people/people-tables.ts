import type { Generated, JSONColumnType } from 'kysely'

export type PeopleTables = {
  user_import: {
    id: Generated<number>
    organization_id: number
    caller: JSONColumnType<object>
    created_at: Date
    finished_at: Generated<Date | null>
    worked_on_until: Generated<Date | null>
  }
  user_import_line: {
    import_id: number
    line: number
    username: string
    person: JSONColumnType<object>
    outcome: 'WAITING' | 'MADE' | 'JOINED' | 'INVITED' | 'PRESENT' | 'FAILED'
    code: string | null
    problem: string | null
    link: Buffer | null
  }
}
