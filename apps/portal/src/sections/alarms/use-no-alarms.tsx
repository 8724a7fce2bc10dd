import { useWords } from '@longreach/ui/use-words'
import { useQuery } from '@tanstack/react-query'
import { alarmsApi } from '../../parts/alarms/alarm-calls.ts'
import { query } from '../../parts/api/api.ts'
import { useReach } from '../../parts/session/reach.ts'

/** Text in place of the list without an open alarm: how many rules watch, or what to do where there is none. */
export function useNoAlarms(asked: boolean) {
  const t = useWords()
  const organization = useReach()
  const { data } = useQuery({
    ...query(alarmsApi.rules, { query: { organization, page: 0, pageSize: 1, enabled: 'true' } }),
    enabled: asked,
  })
  const watching = data?.totalElements ?? 0
  return {
    title: t('alarms.none'),
    text:
      data === undefined
        ? undefined
        : watching > 0
          ? t('alarms.watching', { count: watching })
          : t('alarms.noRules'),
  }
}
