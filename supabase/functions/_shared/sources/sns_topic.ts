import { z } from "zod";

const arnForm =
  /^arn:(aws|aws-cn|aws-us-gov):sns:([a-z0-9-]{1,30}):\d{12}:[A-Za-z0-9_-]{1,256}(?:\.fifo)?$/;

/** The ARN of an SNS topic, as a user enters it. */
export const topicArn = z.string("must be the ARN of an SNS topic").trim()
  .regex(arnForm, "must be the ARN of an SNS topic, like arn:aws:sns:us-east-1:123456789012:mail");

/**
 * Returns the host of a topic's region, which serves its certificates and confirms subscriptions.
 */
export function hostOfTopic(arn: string): string {
  const [, partition, region] = arnForm.exec(arn) ?? [];
  if (region === undefined) {
    throw new RangeError(`Cannot find host: "${arn}" is not an ARN of a topic`);
  }
  return `sns.${region}.amazonaws.com${partition === "aws-cn" ? ".cn" : ""}`;
}
