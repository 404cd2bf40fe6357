import { describe, expect, it } from 'vitest'
import { type BrokerMessage, makeLocalBroker, matchesFilter } from './broker.ts'

describe('topic filter', () => {
  it('matches as specified in MQTT 3.1.1, section 4.7', () => {
    const table: [filter: string, topic: string, matches: boolean][] = [
      ['sport/tennis/player1/#', 'sport/tennis/player1', true],
      ['sport/tennis/player1/#', 'sport/tennis/player1/score/wimbledon', true],
      ['sport/#', 'sport', true],
      ['#', 'sport/tennis', true],
      ['sport/tennis/+', 'sport/tennis/player1', true],
      ['sport/tennis/+', 'sport/tennis/player1/ranking', false],
      ['sport/+', 'sport', false],
      ['sport/+', 'sport/', true],
      ['+/+', '/finance', true],
      ['/+', '/finance', true],
      ['+', '/finance', false],
      ['sport', 'sport/tennis', false],
      ['#', '$SYS/broker', false],
      ['+/broker', '$SYS/broker', false],
      ['$SYS/#', '$SYS/broker', true],
    ]
    for (const [filter, topic, matches] of table) {
      expect([filter, topic, matchesFilter(filter, topic)]).toEqual([filter, topic, matches])
    }
  })
})

describe('in-process broker', () => {
  it('sends a retained message to a later subscriber, and deletes it after an empty one', async () => {
    const broker = makeLocalBroker()
    await broker.publish('a/b', 'kept', { retain: true })
    const seen: BrokerMessage[] = []
    const stop = await broker.subscribe('a/+', (message) => void seen.push(message))
    await broker.publish('a/b', 'live')
    await stop()
    await broker.publish('a/b', '', { retain: true })
    await broker.subscribe('a/+', (message) => void seen.push(message))
    expect(seen.map(({ payload, isRetained }) => [payload.toString(), isRetained])).toEqual([
      ['kept', true],
      ['live', false],
    ])
  })
})
