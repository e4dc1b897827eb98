import { suggest } from '../../text/similar.ts';
import { columnsOfOutput, writeResult } from '../streams.ts';
import { contentOf, findTopic, readTopics } from './read.ts';
import { topicList, topicText } from './terminal.ts';

/** Shows the topic of the manual for some words; when there is none, returns the most similar one. */
export function showTopic(words: readonly string[]): { readonly shown: boolean; readonly meant?: string } {
  const topics = readTopics();
  const width = columnsOfOutput() ?? 80;
  const asked = words.join(' ');
  if (asked === 'topics') {
    writeResult(topicList(topics, width));
    return { shown: true };
  }
  const topic = findTopic(asked, topics);
  if (!topic) {
    const meant = suggest(
      asked,
      topics.map(({ name }) => name),
    );
    return { shown: false, ...(meant !== undefined && { meant }) };
  }
  writeResult(topicText(contentOf(topic), width));
  return { shown: true };
}
