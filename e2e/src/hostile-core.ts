import { type HostileRow, type Kind, many, refusedTable, row } from './hostile-row.ts'

const users = 'core/api/v1/organizations/main/users/import?dryRun=true'
const people = 'username,email\nanna,anna@example.org\n'
const wide = (columns: number) => `${many(columns, (n) => `c${n}`).join()}\nx\n`
const long = (first: string, line: (n: number) => string, lines: number) =>
  `${first}\n${many(lines, line).join('\n')}\n`
const ofPeople: Kind = { method: 'POST', path: users, good: { csv: people }, answered: 200 }

const ofRoles: Kind = {
  method: 'POST',
  path: 'core/api/v1/organizations/main/roles',
  good: {},
  answered: 400,
}
const refusedMany = [413]

/** Organizations, people and rights. */
export const rows: readonly HostileRow[] = [
  row(ofPeople, 'people: 50,000 columns', () => ({ csv: wide(50_000) }), refusedTable),
  row(ofPeople, 'people: 400,000 columns', () => ({ csv: wide(400_000) }), refusedTable),
  row(ofPeople, 'people: one cell of 3 MB', () => ({
    csv: `username,groups\nx,"${'a;'.repeat(1_500_000)}"\n`,
  })),
  row(ofPeople, 'people: 5,000 lines with 50 unknown groups each', () => ({
    csv: long('username,groups', (n) => `u${n},${many(50, (g) => `g${g}`).join('|')}`, 5_000),
  })),
  row(ofPeople, 'people: a mapping of 150,000 columns that are none', () => ({
    csv: people,
    mapping: Object.fromEntries(many(150_000, (n) => [`c${n}`, 1])),
  })),
  row(ofRoles, 'roles: 200,000 actions in a rule', () => ({
    name: 'x',
    rules: [{ resource: 'devices', actions: many(200_000, () => 'readx') }],
  })),
  row(ofRoles, 'a person: 1.9 MB of small objects', () => many(600_000, () => ({})), refusedMany),
  row(ofRoles, 'a person: 1.9 MB of numbers', () => many(950_000, () => 1), refusedMany),
  row(
    ofRoles,
    'a person: 90,000 names',
    () => Object.fromEntries(many(90_000, (n) => [`name ${n}`, 1])),
    refusedMany,
  ),
  row(
    ofRoles,
    'a person: as many names as are taken',
    () => Object.fromEntries(many(49_000, (n) => [`name ${n}`, 1])),
    [400],
  ),
  row(
    ofRoles,
    'a person: as many objects as are taken',
    () => ({ name: 'x', rules: many(19_000, () => ({ resource: 'a' })) }),
    [400],
  ),
  row(
    { method: 'POST', path: 'core/api/v1/setup', as: 'nobody', good: {}, answered: 400 },
    'a stranger: 1.9 MB of small objects',
    () => many(600_000, () => ({})),
    [400, 404, 413, 429],
  ),
  row(
    {
      method: 'POST',
      path: 'core/api/v1/organizations/selfOnBoarding',
      as: 'nobody',
      good: {},
      answered: 400,
    },
    'registration: 200,000 agreements',
    () => ({
      organization: { name: 'x'.repeat(500_000) },
      user: { username: 'u'.repeat(200_000), password: 'p'.repeat(200_000) },
      agreements: many(200_000, () => 1),
    }),
    [400, 403, 413],
  ),
  row(
    {
      method: 'POST',
      path: 'core/api/v1/organizations/main/roles/testApplicationPermissions',
      good: {},
      answered: 200,
    },
    'rights: what if 1,000 roles left 1,000 groups',
    () => ({ groupsToAdd: many(1_000, () => 1), rolesToRemove: many(1_000, () => 1) }),
    [200, 404],
  ),
  row(
    {
      method: 'POST',
      path: 'core/api/v1/organizations/main/roles/areAuthorized',
      good: { deviceIds: ['{device}'] },
      answered: 200,
    },
    'rights: 60,000 devices at once',
    () => ({ deviceIds: many(60_000, (n) => `${n}`.padStart(22, '0')) }),
  ),
]
