import { expect } from 'vitest'
import type { Ask } from './asking.ts'
import { core, listed, ok, refused } from './tenant-world.ts'

/** The rule that gives a permission such as `devices:read`. */
export const ruleOf = (permission: string) => {
  const [resource, action] = permission.split(':')
  return { resource, actions: [action] }
}

type Rising = { role: number; user: number; device: string }

/** Attempts to gain rights with rights over roles, groups and people. */
export async function mustNotRise(ask: Ask, { role, user, device }: Rising) {
  const all = await listed(ask, `${core('nordwerk')}/roles?pageSize=500`)
  const owner = all.find(({ name }) => name === 'app_owner')?.id ?? 0
  const [self] = await listed(
    ask,
    `${core('nordwerk')}/userGroups?userId=${user}&type=SELF_USER_ANY`,
  )
  const [everybody] = await listed(ask, `${core('nordwerk')}/userGroups?type=ALL_USER`)
  const wider = [ruleOf('devices:read'), ruleOf('devices:delete')]
  const at = core('nordwerk')
  const fresh = { name: 'wider', label: 'Wider' }
  const person = { username: 'puppet', password: 'a long pass phrase 7' }
  const [boss] = await listed(ask, `${at}/users?username=anna`)
  const tries: [string, string, unknown?][] = [
    ['PUT', `${at}/roles/${role}`, { rules: wider }],
    ['PUT', `${at}/roles/${role}`, { inherit: true }],
    ['POST', `${at}/roles`, { ...fresh, rules: wider }],
    ['POST', `${at}/roles`, { ...fresh, copyOf: owner }],
    ['POST', `${at}/userGroups/${self?.id}/roles/${owner}`],
    ['POST', `${at}/userGroups/${everybody?.id}/roles/${owner}`],
    ['POST', `${at}/userGroups/${self?.id}/roles/${role},${owner}`],
    ['PUT', `${at}/userGroups/${self?.id}`, { rolesId: [role, owner] }],
    ['POST', `${at}/userGroups`, { name: 'wider', rolesId: [owner], membersId: [user] }],
    ['POST', `${at}/users`, { ...person, rolesId: [owner] }],
    ['POST', `${at}/users/${user}/impersonation`],
    ['POST', `${at}/users/${boss?.id}/impersonation`],
    ['PUT', `${at}/users/${boss?.id}`, { password: 'quite another phrase 8' }],
    ['PUT', `${at}/users/${boss?.id}`, { email: 'erik@nordwerk.example' }],
    ['POST', `${at}/apiKeys`, { username: 'anna' }],
  ]
  for (const [method, path, body] of tries)
    await refused(ask(method, path, body), 403, 404, 409, 422)
  const kept = (await ok(ask('GET', `${at}/roles/${role}`))).text
  expect(kept).not.toContain('"delete"')
  await refused(ask('DELETE', `mappings/api/v1/devices/${device}?organization=nordwerk`), 403)
}
