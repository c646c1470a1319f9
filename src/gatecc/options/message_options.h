// The options about how messages look, as gcc spells them.
#pragma once

#include "message/message.h"

// Takes an option about messages. False after a message on standard error.
bool message_option(MessageOptions *options, const char *text);
