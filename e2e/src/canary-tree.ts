import type { Ask } from './asking.ts'
import { core, listed, make, ok } from './tenant-world.ts'

/** Ids of what a foreign organization has, by the name that a path or a query gives them. */
export type ForeignIds = Record<string, string | number>
type Id = { id: number }

const place = 'acqua.vault'
const here = core(place)
const query = `?organization=${place}`

/**
 * Make an organization in the realm acqua in which every text bears the marker, but for its
 * resourceId, by which it is asked for. Answers the ids of all that, and an activation key.
 */
export async function canaryTree(ask: Ask, marker: string) {
  const vault = await make(ask, core('acqua'), { name: 'vault', label: marker })
  await make(ask, here, { name: marker, label: marker })
  const machine = await canaryDevice(ask, marker)
  const people = await canaryPeople(ask, marker)
  const group = `${here}/securityPolicies/${people.policy}`
  await ok(ask('POST', `${group}/devices/${machine.deviceId}`))
  await ok(ask('POST', `${here}/users/${people.user}/securityPolicies/${people.policy}`))
  const words = { defaultName: marker, acceptanceField: marker }
  const link = `https://acqua.example/${marker}`
  const terms = { type: 'TERM', ...words, link, mandatory: false }
  const agreement = await make(ask, `${core('acqua')}/agreements`, terms)
  const key = await make(ask, `${here}/apiKeys`, { label: marker })
  await ok(ask('POST', `${here}/userPreferences`, { serviceName: marker, value: marker }))
  await ok(ask('PUT', 'core/api/v1/users/mine/services/portal/properties/note', marker))
  const data = await canaryData(ask, marker, machine)
  const entries = await ok(ask('GET', `audit/api/v1/entries${query}`))
  const [entry] = entries.json<{ data: Id[] }>().data
  const ids: ForeignIds = {
    ...machine.ids,
    ...people,
    ...data,
    organizationId: vault.id,
    agreement: agreement.id,
    apiKey: key.id,
    entry: entry?.id ?? 0,
  }
  return { ids, deviceId: machine.deviceId, activationKey: machine.activationKey }
}

async function canaryDevice(ask: Ask, marker: string) {
  const words = { label: marker, description: marker, unit: marker, tags: [marker] }
  const node = { type: 'object', instanceOf: `${marker}:1.0.0`, UUID: null, ...words }
  const model = await make<{ id: string }>(ask, `mappings/api/v1/models${query}`, {
    name: `${marker}:1.0.0`,
    data: { ...node, properties: { [marker]: { type: 'string', ...words } } },
  })
  const leaf = {
    version: '1.0.0',
    type: 'string',
    mode: 'RW',
    historyPolicy: { enabled: true },
    sendPolicy: {
      triggers: [{ type: 'onchange', changeMask: 'value', minIntervalMs: 0, skipFirstNChanges: 0 }],
    },
    datalink: { source: `tag.${marker}` },
  }
  const preset = await make<{ id: string }>(ask, `mappings/api/v1/presets${query}`, {
    name: marker,
    data: { ...node, properties: { [marker]: leaf } },
  })
  const { id } = await make<{ id: string }>(ask, `mappings/api/v1/devices${query}`, {
    label: marker,
    description: marker,
    serialNumber: marker,
    tags: [marker],
    presetId: preset.id,
  })
  const attribute = { key: marker, value: marker }
  await ok(ask('PUT', `mappings/api/v1/devices/${id}/attributes${query}`, attribute))
  while ((await listed(ask, `${here}/devices?deviceId=${id}`)).length === 0) {
    await new Promise((done) => setTimeout(done, 50))
  }
  const path = `platform/api/v1/organizations/${place}/devices/${id}/activationKey`
  const { activationKey } = await make<{ activationKey: string }>(ask, path, {})
  const ids = { device: id, deviceId: id, model: model.id, modelId: model.id, preset: preset.id }
  return { ids: { ...ids, presetId: preset.id }, deviceId: id, activationKey }
}

const toldAt = `platform/api/v1/organizations/${place}`
type Machine = Awaited<ReturnType<typeof canaryDevice>>

/** Notes and saved views of the device, and a job with its failure. */
async function canaryData(ask: Ask, marker: string, { deviceId, ids }: Machine) {
  const shared = true
  const content = { question: { data: `label ~= "${marker}"` } }
  const segment = await make(ask, `mappings/api/v1/segments${query}`, {
    name: marker,
    shared,
    content,
  })
  const view = await make(ask, `${toldAt}/views`, {
    name: marker,
    description: marker,
    shared,
    query: { paths: marker },
  })
  const comment = await make(ask, `${toldAt}/devices/${deviceId}/comments`, { text: marker })
  const rule = await ok(ask('PUT', `${toldAt}/retention`, { path: `${marker}:1/**`, keepDays: 9 }))
  const gone = await make<{ id: string }>(ask, `mappings/api/v1/devices${query}`, {
    label: `${marker} gone`,
  })
  await ok(ask('DELETE', `mappings/api/v1/devices/${gone.id}${query}`))
  const job = await make(ask, `mappings/api/v1/devices/bulk${query}`, {
    action: { kind: 'addTags', tags: [marker] },
    selection: { ids: [deviceId, marker] },
    label: marker,
  })
  const modelPath = `${marker}:1/${marker}`
  const values = [{ deviceId, modelPath, data: [[Date.now() - 1_000, marker]] }]
  await ok(ask('POST', `${toldAt}/devices/bulkInsertTags`, values))
  // Seen below, so that the numbers of who else uses it are asked for too.
  const shares = { data: true }
  await ok(ask('PUT', `mappings/api/v1/models/${ids.model}/subOrgsEnabledToView${query}`, shares))
  const alarms = await canaryAlarms(ask, marker, modelPath)
  return {
    ...alarms,
    segment: segment.id,
    view: view.id,
    comment: comment.id,
    rule: rule.json<Id>().id,
    jobId: job.id,
    version: 1,
  }
}

/** A rule with all that stands beside it, a notification rule with its people, and a trigger. */
async function canaryAlarms(ask: Ask, marker: string, modelPath: string) {
  const alarmRule = await make<{ id: string }>(ask, `platform/api/v1/alarms/rules${query}`, {
    rule: {
      name: marker,
      kind: 'condition',
      scope: { model: `${marker}:1` },
      when: { path: modelPath, op: 'contains', value: marker },
      levels: [{ severity: 5 }],
      texts: { en: marker },
      class: marker,
    },
  })
  const shelf = await make<{ id: string }>(ask, `platform/api/v1/alarms/shelves${query}`, {
    target: { type: 'class', id: marker },
    reason: 'other',
    note: marker,
    until: Date.now() + 3_600_000,
  })
  const alarmView = await make<{ id: string }>(ask, `platform/api/v1/alarms/views${query}`, {
    name: marker,
    shared: true,
    content: { list: 'open', filters: { q: marker } },
  })
  await ok(
    ask('PUT', `platform/api/v1/alarms/settings${query}`, { keepDays: 400, noteClasses: [marker] }),
  )
  const told = await make<{ id: string }>(ask, `notification/api/v1/notifications${query}`, {
    name: marker,
    description: marker,
    enabled: true,
    nameFilters: [marker],
    recipientFilters: [`${marker}@acqua.example`],
  })
  const trigger = await make<{ id: string }>(ask, `trigger/api/v1/triggers${query}`, {
    name: marker,
    triggerData: {
      policy: { type: 'PASSTHROUGH', modelPathMatcher: modelPath },
      actions: [{ type: 'ATTRIBUTE_ACTION', attribute: marker }],
      longreach: { description: marker },
    },
  })
  const escalation = await make<{ id: string }>(ask, `notification/api/v1/escalations${query}`, {
    name: marker,
    steps: [{ afterMin: 5, to: [{ type: 'address', id: `${marker}@acqua.example` }] }],
  })
  const schedule = await make<{ id: string }>(ask, `notification/api/v1/schedules${query}`, {
    name: marker,
    zone: 'UTC',
    layers: [],
  })
  const dashboard = await make<{ id: string }>(ask, `mappings/api/v1/dashboards${query}`, {
    name: marker,
    description: marker,
    cardStyle: { iconName: marker },
    manifest: { assets: [{ name: marker }] },
  })
  await ok(
    ask('POST', `mappings/api/v1/dashboards/${dashboard.id}/versions${query}`, {
      name: marker.slice(0, 60),
      description: marker,
    }),
  )
  return {
    dashboard: dashboard.id,
    trigger: trigger.id,
    escalation: escalation.id,
    schedule: schedule.id,
    alarmRule: alarmRule.id,
    shelf: shelf.id,
    alarmView: alarmView.id,
    notification: told.id,
  }
}

async function canaryPeople(ask: Ask, marker: string) {
  const policy = await make(ask, `${here}/securityPolicies`, { name: `${marker} group` })
  const role = await make(ask, `${here}/roles`, {
    name: marker,
    label: marker,
    description: marker,
    type: 'DEVICE',
    rules: [
      { resource: 'devices', actions: ['read'], deviceGroup: policy.id },
      { resource: 'vpn', actions: ['read'], vpnName: marker },
    ],
    modelPathPermissions: [{ modelPath: `${marker}:1/**`, read: true }],
  })
  const rolesId = [role.id]
  const person = {
    username: marker,
    firstName: marker,
    lastName: marker,
    email: `${marker}@acqua.example`,
    password: 'a long pass phrase 7',
    rolesId,
  }
  const user = await make(ask, `${here}/users`, person)
  const members = { rolesId, membersId: [user.id] }
  const group = await make(ask, `${here}/userGroups`, { name: marker, ...members })
  const csv = `username;email\n${marker}-2;${marker}2@acqua.example`
  const table = await make<{ importId: number }>(ask, `${here}/users/import`, { csv })
  return {
    policy: policy.id,
    deviceGroup: policy.id,
    securityPolicyGroupId: policy.id,
    role: role.id,
    roleId: role.id,
    userGroupId: group.id,
    user: user.id,
    userId: user.id,
    group: group.id,
    groupId: group.id,
    import: table.importId,
  }
}
