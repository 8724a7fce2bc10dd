import { definePart } from '@longreach/kit/part'
import type { AlarmsDeps } from '../deps.ts'
import { occurrences } from '../occurrences/part.ts'
import { alarmForNotifications } from './alarm-for-notifications.ts'
import { rules } from '../rules/part.ts'
import { searchContract } from './contract.ts'
import { searchAlarms } from './search-handlers.ts'
import { listAlarms } from './list-handlers.ts'
import { severityCount, severityCountByDevice } from './count-handlers.ts'
import { alarmDetail, alarmHistory } from './history-handlers.ts'

export const search = definePart<AlarmsDeps>()({
  name: 'search',
  contract: searchContract,
  uses: [occurrences, rules],
  handlers: (deps) => ({
    searchAlarms: searchAlarms(deps),
    listAlarms: listAlarms(deps),
    alarmHistory: alarmHistory(deps),
    alarmDetail: alarmDetail(deps),
    severityCount: severityCount(deps),
    severityCountByDevice: severityCountByDevice(deps),
    alarmForNotifications: alarmForNotifications(deps),
  }),
})
