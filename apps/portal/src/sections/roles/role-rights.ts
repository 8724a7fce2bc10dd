import { actions, type Permission, type Resource } from '@longreach/authorization/permissions'
import type { coreContract } from '@longreach/core/contract'
import type { Result } from '@longreach/kit/contract'
import { means } from '../../parts/access/rights-table.ts'

export type Role = Result<(typeof coreContract)['endpoints']['role']>
export type Rule = Role['rules'][number]

const isPlain = ({ deviceGroup, vpnName }: Rule) => deviceGroup === null && vpnName === null

/** The rights of rules that hold without a limit to a device group or VPN name. */
export const plainRights = (rules: readonly Rule[]): ReadonlySet<Permission> =>
  new Set(
    rules
      .filter(isPlain)
      .flatMap((rule) => rule.actions.map((action): Permission => `${rule.resource}:${action}`)),
  )

/** Rules with exactly these rights beside the limited ones. */
export function withPlainRights(rules: readonly Rule[], rights: ReadonlySet<Permission>): Rule[] {
  const byResource = Map.groupBy(rights, (right) => right.split(':')[0] as Resource)
  const plain = [...byResource].map(([resource, held]) => ({
    resource,
    actions: actions.filter((action) => held.includes(`${resource}:${action}`)),
    deviceGroup: null,
    vpnName: null,
  }))
  return [...plain, ...rules.filter((rule) => !isPlain(rule))]
}

/** Number of rights from the rules that have a meaning in the matrix. */
export const rightsCount = (rules: readonly Rule[]) => [...plainRights(rules)].filter(means).length

/** Content of a role in one fixed order, to be compared for changes. */
export const contentOf = ({
  label,
  description,
  enabled,
  inherit,
  rules,
  modelPathPermissions,
}: Pick<
  Role,
  'label' | 'description' | 'enabled' | 'inherit' | 'rules' | 'modelPathPermissions'
>) =>
  JSON.stringify([
    label,
    description,
    enabled,
    inherit,
    [...plainRights(rules)].toSorted(),
    rules
      .filter((rule) => !isPlain(rule))
      .map(ruleKey)
      .toSorted(),
    modelPathPermissions
      .map(({ modelPath: { path }, read, history, write }) => [path, read, history, write].join())
      .toSorted(),
  ])

const ruleKey = ({ resource, actions: named, deviceGroup, vpnName }: Rule) =>
  [resource, deviceGroup, vpnName, ...named.toSorted()].join(' ')

/** `Service engineer Süd` as a name that a role may have: `service-engineer-sud`. */
export const nameFrom = (label: string) =>
  label
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replaceAll('ß', 'ss')
    .toLowerCase()
    .replace(/[^a-z0-9_.-]+/g, '-')
    .replace(/^[^a-z0-9]+|-+$/g, '')
    .slice(0, 90)
