import { Panel } from '@longreach/ui/PageHeader'
import { useWords } from '@longreach/ui/use-words'
import { useQuery } from '@tanstack/react-query'
import { api, query } from '../../../parts/api/api.ts'
import { useReach } from '../../../parts/session/reach.ts'
import shared from '../devices.module.css'
import classes from './AvailableTags.module.css'

/** The tags that the device says it has. */
export function AvailableTags({ deviceId }: { deviceId: string }) {
  const t = useWords()
  const org = useReach()
  const { data = [] } = useQuery(query(api.platform.availableTags, { params: { org, deviceId } }))
  return (
    <Panel title={t('devices.available', { count: data.length })}>
      {data.length === 0 ? (
        <p className={shared.dim}>{t('devices.availableNone')}</p>
      ) : (
        <table className={classes.history}>
          <thead>
            <tr>
              <th scope="col">{t('devices.tag')}</th>
              <th scope="col">{t('devices.type')}</th>
            </tr>
          </thead>
          <tbody>
            {data.map(({ name, type }) => (
              <tr key={name}>
                <td>
                  <code>{name}</code>
                </td>
                <td>{type}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  )
}
