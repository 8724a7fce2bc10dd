// Runs in a process of its own: reads a plan, keeps `lanes` requests under way, prints how many a second.
type Plan = {
  url: string
  seconds: number
  /** One lane each: what it sends, with `{token}` where the last answer's refresh token goes. */
  lanes: { form: string; authorization?: string; token: string }[]
}

const plan = JSON.parse(await new Response(process.stdin as never).text()) as Plan
let done = 0
const until = Date.now() + plan.seconds * 1000

async function drive(lane: Plan['lanes'][number]) {
  let { token } = lane
  while (Date.now() < until) {
    const answer = await fetch(plan.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        ...(lane.authorization !== undefined && { authorization: lane.authorization }),
      },
      body: lane.form.replace('{token}', token),
    })
    const body = (await answer.json()) as { refresh_token?: string; error?: string }
    if (!answer.ok) throw new Error(`${plan.url} ${answer.status} ${JSON.stringify(body)}`)
    token = body.refresh_token ?? token
    done += 1
  }
}

const began = Date.now()
await Promise.all(plan.lanes.map(drive))
process.stdout.write(JSON.stringify({ done, perSecond: (done * 1000) / (Date.now() - began) }))
